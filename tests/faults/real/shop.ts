import type { ApiClient } from '../../support/api-client.js';
import { pressOnPaymentPage, priceOf } from '../../support/shopper.js';
import { logInAsAdmin } from '../clients.js';
import type { RealSystem } from './real-system.js';

interface Purchase {
  readonly buyer: string;
  /** Known when the checkout was answered with success; such a one was paid. */
  id?: string;
}

let serial = 0;

/** What was bought, and what has to be true of it in the end. The provider never fails here: it lives in the test's process. */
export class ShopBook {
  readonly purchases: Purchase[] = [];
  refused = 0;

  /** One buyer: a new user each time, since the first checkout of a user makes a customer too. */
  async shopUntil(stopped: () => boolean, system: RealSystem): Promise<void> {
    while (!stopped()) {
      const bought = await this.buy(system).catch(() => undefined);
      if (bought !== undefined) continue;
      this.refused += 1;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Undefined when some step before the payment was refused. */
  async buy(system: RealSystem): Promise<Purchase | undefined> {
    const client = await newCustomer(system);
    if (client === undefined) return undefined;
    const purchase: Purchase = { buyer: `buyer${++serial}@example.net` };
    this.purchases.push(purchase);
    const { status, body } = await client.get(`/checkout?price=${await priceOf(client)}`);
    if (status !== 201 && status !== 200) return undefined;
    purchase.id = body.checkout.id;
    await pressOnPaymentPage(body.checkout.url, 'pay', purchase.buyer);
    return purchase;
  }

  /** To be called once nothing is left over. What was never paid must have no receipt; what was paid, exactly one (and at most `copies` copies of it). */
  async settle(system: RealSystem): Promise<ShopVerdict> {
    const admin = await logInAsAdmin(system);
    const verdict = {
      paid: 0,
      refused: this.refused,
      receiptCopies: 0,
      lost: [] as string[],
      unexpected: [] as string[],
    };
    for (const { buyer, id } of this.purchases) {
      const mails = system.sink.to(buyer);
      const receipts = new Set(mails.map(({ messageId }) => messageId)).size;
      verdict.receiptCopies += mails.length - receipts;
      if (id === undefined) {
        if (receipts > 0) verdict.unexpected.push(`${buyer}: a receipt and no payment`);
        continue;
      }
      verdict.paid += 1;
      const status = (await admin?.get(`/checkout/${id}`))?.body?.checkout?.status;
      if (status !== 'paid') verdict.lost.push(`${buyer}: paid, yet ${status}`);
      if (receipts === 0) verdict.lost.push(`${buyer}: no receipt`);
      if (receipts > 1) verdict.unexpected.push(`${buyer}: ${receipts} receipts`);
    }
    return verdict;
  }
}

export interface ShopVerdict {
  readonly paid: number;
  readonly refused: number;
  readonly receiptCopies: number;
  readonly lost: string[];
  readonly unexpected: string[];
}

async function newCustomer(system: RealSystem): Promise<ApiClient | undefined> {
  const admin = await logInAsAdmin(system);
  const user = { email: `customer${++serial}@example.net`, password: `fit for a shop ${serial}` };
  const created = await admin?.post('/user', { ...user, first_name: 'Cus', last_name: 'Tomer' });
  if (created?.status !== 201) return undefined;
  const client = system.client();
  return (await client.post('/login', user)).status === 200 ? client : undefined;
}
