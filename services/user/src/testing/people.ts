import type { User } from '@latchkey/contracts';
import type { RunningUserService } from './start-user-service.js';

let made = 0;

/** A body for POST /user that nobody used yet. */
export function someone(overrides: Record<string, unknown> = {}) {
  made += 1;
  return { email: `person${made}@example.org`, first_name: 'Pat', last_name: `Person${made}`, ...overrides };
}

/** An active user with the password `correct horse`, unless told otherwise. */
export async function makeUser(system: RunningUserService, overrides: Record<string, unknown> = {}): Promise<User> {
  const body = someone({ password: 'correct horse', ...overrides });
  return (await system.users.createUser({ body }, system.admin())).user;
}

/** What a refusal says, for comparing: rejects the test when there is none. */
export async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => {
      throw new Error('it was not refused');
    },
    (reason: unknown) => reason as Record<string, unknown>,
  );
  const { code, status, message, errors, limit, retryAfter } = error;
  return { code, status, message, errors, limit, retryAfter };
}
