/** The types of the provider's events that something here follows from. `x.*`: every type that begins with `x.`. */
const types = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'customer.deleted',
  'customer.subscription.*',
  'invoice.paid',
  'invoice.payment_failed',
  'product.*',
  'price.*',
] as const;

export type ActedOn = (typeof types)[number];

const known = new Map<string, ActedOn>(types.map((type) => [type, type]));

/** Which of the types acted on an event's type is: itself, or its narrowest group; `undefined` when nothing follows from it. */
export function actedOnAs(type: string): ActedOn | undefined {
  const own = known.get(type);
  if (own !== undefined) return own;
  for (let end = type.lastIndexOf('.'); end > 0; end = type.lastIndexOf('.', end - 1)) {
    const group = known.get(`${type.slice(0, end)}.*`);
    if (group !== undefined) return group;
  }
  return undefined;
}
