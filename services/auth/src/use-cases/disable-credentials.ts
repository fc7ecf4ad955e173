import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { eraseUserCredentials } from './erase-user-credentials.js';

/** Nothing of this user logs in any more and every session ends. Also for users without credentials: what was on its way there finds them disabled. */
export function disableCredentials(deps: Dependencies): Handler<typeof authApi.disableCredentials> {
  return async ({ params }, context) => {
    await eraseUserCredentials(deps, params.user_id, context.requestId);
    return {};
  };
}
