import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { withoutResets } from '../domain/credential-changes.js';

/** Forgets the prior hash and every link: the user's email changed, and what went to the old address must not work any more. */
export function dropResets(deps: Dependencies): Handler<typeof authApi.dropResets> {
  return async ({ params }, context) => {
    await deps.credentials.change(params.user_id, () => ({ set: withoutResets() }), context.requestId);
    return {};
  };
}
