import type { userApi } from '@latchkey/contracts';
import type { Dependencies, UseCase } from '../dependencies.js';
import { emailKeyOf } from '../domain/fold.js';
import { toUser } from '../domain/to-user.js';
import type { UserRecord } from '../models/user-record.js';

/** The active user with this email, whatever its case; null for unknown, deleted and unfinished ones. For neighbours. */
export function findUserByEmail(deps: Dependencies): UseCase<typeof userApi.findUserByEmail> {
  return async ({ body }) => {
    const filter = { emailKey: emailKeyOf(body.email), state: 'active' as const };
    const user = await deps.models.users.findOne(filter).lean<UserRecord>();
    return { user: user && toUser(user) };
  };
}
