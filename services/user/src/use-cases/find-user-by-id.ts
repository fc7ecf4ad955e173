import type { userApi } from '@latchkey/contracts';
import type { Dependencies, UseCase } from '../dependencies.js';
import { toUser } from '../domain/to-user.js';
import { findVisibleUser } from './find-visible-user.js';

/** The user with this id, deleted or not; null when there is none or it is still being created. For neighbours. */
export function findUserById(deps: Dependencies): UseCase<typeof userApi.findUserById> {
  return async ({ params }) => {
    const user = await findVisibleUser(deps, params.user_id, true);
    return { user: user && toUser(user) };
  };
}
