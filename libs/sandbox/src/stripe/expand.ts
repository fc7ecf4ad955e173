import type { Kind } from './objects.js';
import type { Store } from './store.js';

/** Which fields name another object, and of which kind it is. */
const expandable: Readonly<Record<string, Kind>> = {
  customer: 'customer',
  invoice: 'invoice',
  latest_charge: 'charge',
  latest_invoice: 'invoice',
  payment_intent: 'paymentIntent',
  product: 'product',
  subscription: 'subscription',
  charge: 'charge',
};

/** A copy in which the ids at `paths` (`payment_intent`, `data.product`) are replaced by their objects. */
export function expand(value: object, paths: readonly string[], store: Store): object {
  const copy = structuredClone(value) as Record<string, unknown>;
  for (const path of paths) expandOne(copy, path.split('.'), store);
  return copy;
}

function expandOne(target: unknown, path: readonly string[], store: Store): void {
  const [name, ...rest] = path;
  if (name === undefined || typeof target !== 'object' || target === null) return;
  if (Array.isArray(target)) {
    for (const item of target) expandOne(item, path, store);
    return;
  }
  const fields = target as Record<string, unknown>;
  const kind = expandable[name];
  if (kind !== undefined && typeof fields[name] === 'string') {
    const found = store.get(kind, fields[name]);
    if (found !== undefined) fields[name] = structuredClone(found);
  }
  if (Array.isArray(fields[name])) for (const item of fields[name]) expandOne(item, rest, store);
  else expandOne(fields[name], rest, store);
}
