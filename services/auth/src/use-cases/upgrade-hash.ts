import type { CallContext } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { confirmed } from '../domain/credential-changes.js';
import type { Credentials } from '../domain/credentials.js';

/** Replaces a hash that is cheaper, of another scheme or of an old pepper, now that the password is at hand (S10). Never fails the login it is part of. */
export async function upgradeHash(
  deps: Dependencies,
  userId: number,
  { password: stored }: Credentials,
  password: string,
  context: CallContext,
): Promise<void> {
  if (!stored || !deps.passwords.isOutdated(stored)) return;
  try {
    const upgraded = await deps.passwords.hash(password, context);
    await deps.credentials.change(
      userId,
      (current) =>
        current.password?.hash === stored.hash ? { set: { password: upgraded, ...confirmed(current) } } : null,
      context.requestId,
    );
  } catch (error) {
    deps.logger.warn({ err: error, user_id: userId }, 'a password hash could not be upgraded');
  }
}
