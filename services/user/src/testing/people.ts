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
