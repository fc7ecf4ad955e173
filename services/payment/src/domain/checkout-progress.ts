import type { CheckoutStatus } from '@latchkey/contracts';
import type { ProviderSession } from '../payment-provider.js';

/** Where each state may go. What has ended stays ended; only a paid checkout can still be refunded (F27). */
const next: Record<CheckoutStatus, readonly CheckoutStatus[]> = {
  open: ['processing', 'paid', 'failed', 'expired'],
  processing: ['paid', 'failed', 'expired'],
  paid: ['refunded'],
  failed: [],
  expired: [],
  refunded: [],
};

/** The state after hearing that it is `wanted`: that one when the present one may become it, else the present one. */
export function advance(present: CheckoutStatus, wanted: CheckoutStatus): CheckoutStatus {
  return next[present].includes(wanted) ? wanted : present;
}

/** True while something may still happen by itself. */
export function isUnsettled(status: CheckoutStatus): boolean {
  return status === 'open' || status === 'processing';
}

/**
 * What the provider's session says, whatever event led to looking at it. `refused`: an event said that a delayed payment was refused, which the session alone
 * does not always tell; a session that is paid after all wins over it.
 */
export function statusOf(session: ProviderSession, refused = false): CheckoutStatus {
  if (session.status === 'expired') return 'expired';
  if (session.status === 'open') return 'open';
  if (session.paymentStatus !== 'unpaid') return 'paid';
  return refused || session.paymentFailed ? 'failed' : 'processing';
}
