import type { ParsedInput, userApi } from '@latchkey/contracts';
import type { UserRecord } from '../models/user-record.js';
import { fullName, ownWords } from './names.js';

/** The fields of an update, each left out unless it is to change. */
export type WantedChanges = ParsedInput<typeof userApi.updateUser>['body'];

/** The words a new password may not contain: the old and the new ones (S07). */
export function wordsOf(user: UserRecord, wanted: WantedChanges): string[] {
  const names = { first_name: wanted.first_name ?? user.first_name, last_name: wanted.last_name ?? user.last_name };
  return [...new Set([...ownWords([user.email, wanted.email ?? user.email], names), fullName(user)])];
}
