import { createCustomer } from './api/customers.js';
import type { Charge, PaymentIntent, Session } from './objects.js';
import { beginSubscription, concludeFirstInvoice } from './subscriptions.js';
import { emit, fresh, seconds, type World } from './world.js';

/** What the buyer did on the payment page. */
export type Payment = 'pay' | 'pay-later' | 'decline';

/**
 * Completes an open session. `pay`: paid at once; `pay-later`: a method that takes time, paid a while later; `decline`: a method that takes time, refused at
 * once, which is how a completed checkout comes to fail. Each is one change with its events.
 */
export function paySession(world: World, id: string, payment: Payment, buyer: { email: string }): Session | undefined {
  return world.store.change(() => {
    const session = world.store.get('session', id);
    if (session?.status !== 'open' || session.expires_at <= seconds(world)) return session;
    const completed = complete(world, session, payment, buyer.email);
    emit(world, 'checkout.session.completed', completed);
    if (payment === 'decline') return concludeSession(world, completed, 'failed');
    if (payment === 'pay-later') setTimer(world, completed, world.clock.now() + world.payLaterMs);
    return completed;
  });
}

function complete(world: World, session: Session, payment: Payment, email: string): Session {
  const known = session.customer === null ? undefined : world.store.get('customer', session.customer);
  const free = session.amount_total === 0;
  const paid = free || payment === 'pay';
  const details = { email, name: known?.name ?? null, phone: null, address: null, tax_ids: [] as [] };
  const base: Session = {
    ...session,
    customer_details: details,
    payment_status: free ? 'no_payment_required' : paid ? 'paid' : 'unpaid',
    status: 'complete',
    url: null,
  };
  if (session.mode === 'payment') {
    const intent = free ? null : pay(world, base, paid);
    return world.store.put('session', { ...base, payment_intent: intent?.id ?? null });
  }
  const customer = session.customer ?? createCustomer(world, { email, name: null, metadata: {} }).id;
  const items = world.store.get('sessionNote', session.id)?.items ?? [];
  const { subscription, invoice } = beginSubscription(world, { ...base, customer }, items, paid);
  return world.store.put('session', { ...base, customer, subscription: subscription.id, invoice: invoice.id });
}

function pay(world: World, session: Session, paid: boolean): PaymentIntent {
  const intent: PaymentIntent = {
    ...fresh(world, 'pi', 'payment_intent'),
    amount: session.amount_total,
    amount_received: 0,
    currency: session.currency,
    customer: session.customer,
    last_payment_error: null,
    latest_charge: null,
    status: 'processing',
  };
  return paid ? charge(world, intent, session) : world.store.put('paymentIntent', intent);
}

function charge(world: World, intent: PaymentIntent, session: Session): PaymentIntent {
  const made: Charge = {
    ...fresh(world, 'ch', 'charge'),
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    billing_details: { email: session.customer_details?.email ?? null, name: session.customer_details?.name ?? null },
    captured: true,
    currency: intent.currency,
    customer: intent.customer,
    paid: true,
    payment_intent: intent.id,
    refunded: false,
    status: 'succeeded',
  };
  world.store.put('charge', made);
  const succeeded: PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    latest_charge: made.id,
    last_payment_error: null,
    status: 'succeeded',
  };
  emit(world, 'payment_intent.succeeded', succeeded);
  emit(world, 'charge.succeeded', made);
  return world.store.put('paymentIntent', succeeded);
}

/** A delayed payment comes to its end. */
export function concludeSession(world: World, session: Session, outcome: 'succeeded' | 'failed'): Session {
  return world.store.change(() => {
    if (session.status !== 'complete' || session.payment_status !== 'unpaid') return session;
    setTimer(world, session, null);
    const intent =
      session.payment_intent === null ? undefined : world.store.get('paymentIntent', session.payment_intent);
    if (session.subscription !== null) concludeFirstInvoice(world, session.subscription, outcome === 'succeeded');
    if (outcome === 'failed') {
      if (intent !== undefined) refuse(world, intent);
      emit(world, 'checkout.session.async_payment_failed', session);
      return session;
    }
    if (intent !== undefined) charge(world, intent, session);
    const paid = world.store.put('session', { ...session, payment_status: 'paid' });
    emit(world, 'checkout.session.async_payment_succeeded', paid);
    return paid;
  });
}

function refuse(world: World, intent: PaymentIntent): void {
  const refused: PaymentIntent = {
    ...intent,
    status: 'requires_payment_method',
    last_payment_error: {
      type: 'card_error',
      code: 'payment_method_provider_decline',
      message: 'The payment was declined.',
    },
  };
  emit(world, 'payment_intent.payment_failed', world.store.put('paymentIntent', refused));
}

export function expireSession(world: World, session: Session): Session {
  return world.store.change(() => {
    const expired = world.store.put('session', { ...session, status: 'expired', url: null });
    emit(world, 'checkout.session.expired', expired);
    return expired;
  });
}

/** What time alone brings about: delayed payments that succeed, payment pages that close. */
export function passTime(world: World): void {
  const now = world.clock.now();
  for (const { id, settleAt } of world.store.all('sessionNote')) {
    const session = world.store.get('session', id);
    if (session === undefined) continue;
    if (settleAt !== null && settleAt <= now) concludeSession(world, session, 'succeeded');
    else if (session.status === 'open' && session.expires_at * 1000 <= now) expireSession(world, session);
  }
}

function setTimer(world: World, session: Session, settleAt: number | null): void {
  const note = world.store.get('sessionNote', session.id);
  if (note !== undefined) world.store.put('sessionNote', { ...note, settleAt });
}
