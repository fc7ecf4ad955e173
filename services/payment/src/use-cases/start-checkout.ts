import { randomBytes } from 'node:crypto';
import type { Product, paymentApi } from '@latchkey/contracts';
import { type CallContext, type Handler, Problem } from '@latchkey/kit';
import type { PaymentDependencies } from '../dependencies.js';
import { choosePrice } from '../domain/choose-price.js';
import { returnUrls } from '../domain/return-urls.js';
import type { CheckoutDocument } from '../models/checkout.js';
import { ProviderError } from '../payment-provider.js';
import { toProblem } from '../provider-faults.js';
import type { ensureCustomer } from './ensure-customer.js';
import { newIdempotencyKey } from './ensure-customer.js';
import { expireCheckout } from './expire-checkout.js';
import type { openSession } from './open-session.js';
import { presentCheckout } from './present-checkout.js';
import { attemptKey, CLAIM_MS, type TakeUpCheckout } from './take-up-checkout.js';
import type { unlinkCustomer } from './unlink-customer.js';

/** All calls of the provider together (F30). */
const PATIENCE_MS = 9_000;

export interface StartCheckoutSteps {
  readonly limitCheckouts: (address: string) => Promise<void>;
  readonly listProducts: () => Promise<readonly Product[]>;
  readonly refreshCatalogue: () => Promise<unknown>;
  readonly ensureCustomer: ReturnType<typeof ensureCustomer>;
  readonly unlinkCustomer: ReturnType<typeof unlinkCustomer>;
  readonly takeUpCheckout: TakeUpCheckout;
  readonly openSession: ReturnType<typeof openSession>;
}

/** Begins a checkout: counts it, finds the price in our own list (never an amount from the client), stores the checkout, asks the provider for its page. */
export function startCheckout(
  deps: PaymentDependencies,
  steps: StartCheckoutSteps,
): Handler<typeof paymentApi.startCheckout> {
  const expire = expireCheckout(deps);

  async function begin(input: { price?: string | undefined; quantity: number }, context: CallContext, end: number) {
    const within = () => ({ within: Math.max(1, end - performance.now()) });
    const price = pick(await steps.listProducts(), input.price);
    const userId = context.principal === null ? null : context.principal.userId;
    const customerId = userId === null ? null : await steps.ensureCustomer(userId, context, within());
    const attempt = attemptKey({
      userId,
      address: context.client.address,
      priceId: price.id,
      quantity: input.quantity,
    });
    const checkout =
      (await steps.takeUpCheckout(attempt, customerId)) ??
      (await store({
        userId,
        customerId,
        attempt,
        priceId: price.id,
        mode: price.type === 'recurring' ? 'subscription' : 'payment',
        quantity: input.quantity,
        currency: price.currency,
        amount: price.unit_amount === null ? null : price.unit_amount * input.quantity,
        languages: context.client.languages,
      }));
    await deps.crashPoint('checkout.stored');
    try {
      return await steps.openSession(checkout, context.requestId, within());
    } catch (error) {
      await giveBack(checkout, error, context.requestId);
      throw error;
    }
  }

  async function store(
    chosen: Pick<
      CheckoutDocument,
      'userId' | 'customerId' | 'priceId' | 'mode' | 'quantity' | 'currency' | 'amount' | 'languages' | 'attempt'
    >,
  ): Promise<CheckoutDocument> {
    const _id = randomBytes(16).toString('hex');
    const now = deps.clock.now();
    return deps.aggregates.insert<CheckoutDocument>(
      deps.models.checkouts,
      {
        ...chosen,
        ...returnUrls(deps.config, _id),
        _id,
        provider: deps.provider.name,
        status: 'open',
        idempotencyKey: newIdempotencyKey(),
        claimedUntil: new Date(now + CLAIM_MS),
        createdAt: new Date(now),
      },
      [],
      _id,
    );
  }

  /** What failed for now may be taken up by the next ask; what the provider refuses is over. */
  async function giveBack(checkout: CheckoutDocument, error: unknown, correlationId: string): Promise<void> {
    const over = error instanceof ProviderError && !error.passing;
    await (over ? expire(checkout._id, { unfinished: true, correlationId }) : releaseClaim(checkout._id)).catch(
      (fault) => deps.logger.warn({ err: fault, checkoutId: checkout._id }, 'an unfinished checkout stays claimed'),
    );
  }

  async function releaseClaim(_id: string): Promise<void> {
    await deps.models.checkouts.updateOne({ _id }, { $unset: { claimedUntil: 1 } });
  }

  return async ({ query }, context) => {
    await steps.limitCheckouts(context.client.address);
    const end = performance.now() + Math.min(PATIENCE_MS, context.deadline - deps.clock.now() - 250);
    for (let again = false; ; again = true) {
      try {
        return { checkout: presentCheckout(await begin(query, context, end)) };
      } catch (error) {
        if (!(error instanceof ProviderError) || error.passing) throw toProblem(error);
        // The customer was deleted at the provider and its event has not come yet.
        const customerIsGone = error.fault === 'missing' && error.details.param === 'customer' && context.principal;
        if (customerIsGone && !again) {
          await forgetCustomer(customerIsGone.userId, context.requestId);
          continue;
        }
        if (!error.details.param?.startsWith('line_items')) throw toProblem(error);
        // The price ended at the provider and our list does not know it yet.
        void steps.refreshCatalogue().catch(() => undefined);
        throw new Problem('not-found', { detail: 'There is no such price', cause: error });
      }
    }
  };

  async function forgetCustomer(userId: number, requestId: string): Promise<void> {
    const customer = await deps.models.customers.findOne({ _id: userId }).lean();
    if (customer?.customerId !== undefined) await steps.unlinkCustomer(customer.customerId, requestId);
  }
}

function pick(products: readonly Product[], wanted: string | undefined) {
  const choice = choosePrice(products, wanted);
  if ('price' in choice) return choice.price;
  if (choice.refusal !== 'ambiguous') throw new Problem('not-found', { detail: 'There is no such price' });
  const message = 'is needed, since more than one price is active';
  throw new Problem('validation-failed', { detail: `price ${message}`, errors: [{ path: 'query.price', message }] });
}
