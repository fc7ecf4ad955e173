import type { User } from '@latchkey/contracts';
import type { RunningServices } from '../running-services.js';
import { CommandError } from '../terminal.js';

/** The active user whom an id or an email names. */
export async function findUser({ users, context }: RunningServices, idOrEmail: string): Promise<User> {
  const { user } = /^\d+$/.test(idOrEmail)
    ? await users.findUserById({ params: { user_id: idOrEmail } }, context())
    : await users.findUserByEmail({ body: { email: idOrEmail } }, context());
  if (user === null || user.deletedAt !== null) throw new CommandError(`There is no user ${idOrEmail}.`);
  return user;
}
