import type { checkoutCompleted, PayloadOf } from '@latchkey/contracts';
import type { PurchaseData } from './template.js';

/** What a settled checkout's event brings for its mail. */
export function purchaseData(payload: PayloadOf<typeof checkoutCompleted>): PurchaseData {
  const { checkoutId, name, currency, amount, items, settledAt } = payload;
  return { checkoutId, name: name ?? '', currency, amount, items, settledAt };
}
