import { bindings } from '@latchkey/contracts';
import { type Subscription, subscribe } from '@latchkey/messaging';
import type { Dependencies } from './dependencies.js';
import { dropEmailChange } from './use-cases/drop-email-change.js';
import { linkCustomer } from './use-cases/link-customer.js';

/** What the user service does when others tell of something. */
export function userSubscriptions(deps: Dependencies): readonly Subscription[] {
  return [
    subscribe(bindings.linkCustomer, linkCustomer(deps)),
    subscribe(bindings.dropEmailChange, dropEmailChange(deps)),
  ];
}
