import type { userApi } from '@latchkey/contracts';
import type { Dependencies, UseCase } from '../dependencies.js';
import { actorOf, requireManager } from '../domain/rights.js';
import { toUser } from '../domain/to-user.js';
import { registerUser } from './register-user.js';

/** Creates a user who comes from elsewhere and can log in at once with the password of before. */
export function importUser(deps: Dependencies): UseCase<typeof userApi.importUser> {
  return async ({ body }, context) => {
    requireManager(actorOf(context.principal, deps.access));
    const { password_hash, ...wanted } = body;
    const keepHash = ({ _id }: { _id: number }) =>
      deps.auth.importPassword({ params: { user_id: String(_id) }, body: { password_hash } }, context);
    return { user: toUser(await registerUser(deps, wanted, keepHash, context)) };
  };
}
