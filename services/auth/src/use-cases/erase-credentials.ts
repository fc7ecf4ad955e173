import type { Message, PayloadOf, userDeleted } from '@latchkey/contracts';
import type { Dependencies } from '../dependencies.js';
import { eraseUserCredentials } from './erase-user-credentials.js';

/** A user was deleted: its credentials go, even if the call before the answer did not come through. */
export function eraseCredentials(deps: Dependencies) {
  return async (message: Message<PayloadOf<typeof userDeleted>>): Promise<void> => {
    await eraseUserCredentials(deps, message.payload.userId, message.correlationId);
  };
}
