import type { Dependencies } from '../dependencies.js';
import type { UserRecord, UserState } from '../models/user-record.js';

/** The user with this id, unless it is still being created, or deleted and not `deletedToo`. */
export async function findVisibleUser(
  deps: Dependencies,
  userId: number,
  deletedToo: boolean,
): Promise<UserRecord | null> {
  const states: UserState[] = deletedToo ? ['active', 'deleted'] : ['active'];
  return await deps.models.users.findOne({ _id: userId, state: { $in: states } }).lean<UserRecord>();
}
