import { setTimeout as wait } from 'node:timers/promises';
import { Problem, systemContext } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { emailKeyOf } from '../domain/fold.js';
import { createUser } from './create-user.js';

const ATTEMPTS = 120;
const PAUSE_MS = 500;
/** Another process is at it, or a neighbour is still starting. */
const passing = ['creation-in-progress', 'service-unavailable', 'overloaded'];

export interface FirstAdminWish {
  readonly email: string;
  readonly password: string;
  /** Only in a system that has no admin at all: an address made up for a trial must not come back once its user was deleted. */
  readonly onlyIfNone?: boolean;
}

/**
 * Creates the first admin unless an active user has this email. Two processes that start at once make one. Waits up to a minute for auth
 * and for a creation that another start left behind; then throws what held it up.
 */
export function ensureFirstAdmin(deps: Dependencies) {
  const create = createUser(deps);
  return async ({ onlyIfNone = false, ...admin }: FirstAdminWish): Promise<'created' | 'exists'> => {
    const body = { ...admin, first_name: 'First', last_name: 'Admin', role: 'admin' as const };
    for (let attempt = 1; ; attempt++) {
      try {
        const { users } = deps.models;
        if (onlyIfNone && (await users.exists({ state: 'active', role: 'admin' }))) return 'exists';
        if (await users.exists({ emailKey: emailKeyOf(admin.email), state: 'active' })) return 'exists';
        await create({ body }, systemContext({ clock: deps.clock, timeout: 20 }));
        return 'created';
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.code === 'email-taken') return 'exists';
        if (attempt === ATTEMPTS || !passing.includes(error.code)) throw error;
      }
      await wait(PAUSE_MS);
    }
  };
}
