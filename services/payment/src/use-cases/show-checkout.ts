import { setTimeout as wait } from 'node:timers/promises';
import type { paymentApi } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import { guardDatabase } from '@latchkey/persistence';
import type { PaymentDependencies } from '../dependencies.js';
import { isUnsettled } from '../domain/checkout-progress.js';
import type { CheckoutDocument } from '../models/checkout.js';
import { presentCheckout } from './present-checkout.js';
import type { SettleCheckout } from './settle-checkout.js';

/** The provider is asked at most once in this time about one checkout, whoever and however many look at it. */
const ASK_EVERY_MS = 1_000;
/** Of each of two calls; together less than anybody's deadline. */
const PATIENCE_MS = 4_000;

/**
 * How a checkout stands, right even before the webhook has come: while it is unsettled the provider is asked and the answer settles it like an event would.
 * Somebody who looks again within a second waits for the rest of it. When the provider does not answer, what we know is shown.
 */
export function showCheckout(
  deps: Pick<PaymentDependencies, 'clock' | 'logger' | 'models' | 'provider'>,
  settle: SettleCheckout,
): Handler<typeof paymentApi.showCheckout> {
  const { checkouts } = deps.models;
  const read = (id: string) => guardDatabase(() => checkouts.findOne({ _id: id }).lean<CheckoutDocument>());

  /** True for the one who may ask now. The turn is taken in the database, so that replicas share it. */
  async function takeTurn(checkout: CheckoutDocument): Promise<boolean> {
    const { askedAt } = checkout;
    const rest = askedAt === undefined ? 0 : askedAt.getTime() + ASK_EVERY_MS - deps.clock.now();
    if (rest > 0) await wait(Math.min(rest, ASK_EVERY_MS));
    const unchanged = askedAt === undefined ? { askedAt: { $exists: false } } : { askedAt };
    const taken = await guardDatabase(() =>
      checkouts.updateOne({ _id: checkout._id, ...unchanged }, { $set: { askedAt: new Date(deps.clock.now()) } }),
    );
    return taken.matchedCount === 1;
  }

  async function ask(checkout: CheckoutDocument, correlationId: string): Promise<CheckoutDocument> {
    if (checkout.sessionId === undefined) return checkout;
    try {
      const session = await deps.provider.retrieveSession(checkout.sessionId, { within: PATIENCE_MS });
      return session === null ? checkout : await settle(checkout, session, { correlationId, within: PATIENCE_MS });
    } catch (error) {
      deps.logger.warn({ err: error, checkoutId: checkout._id }, 'the provider could not be asked about a checkout');
      return checkout;
    }
  }

  return async ({ params }, context) => {
    const checkout = await read(params.id);
    if (checkout === null) throw new Problem('not-found', { detail: 'There is no such checkout' });
    if (!isUnsettled(checkout.status)) return { checkout: presentCheckout(checkout) };
    const shown = (await takeTurn(checkout)) ? await ask(checkout, context.requestId) : await read(params.id);
    return { checkout: presentCheckout(shown ?? checkout) };
  };
}
