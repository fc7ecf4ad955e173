import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Component } from '@latchkey/kit';
import { asFaultOfSetting, type UserService } from '@latchkey/user';
import { keepOnce } from './secrets.js';

export interface FirstAdmin {
  readonly email: string;
  readonly password: string;
  /** Made here, so it has to be told to the person at the terminal. */
  readonly made: boolean;
}

const madeEmail = 'admin@latchkey.localhost';
const fileName = 'first-admin-password';

/**
 * Who the first admin is: as configured, or made here. A made password is kept in a file (mode 0600) from before the user exists until it has been printed
 * (`forgetFirstAdmin`), so that a crash in between cannot leave an admin whose password nobody ever saw.
 */
export function chooseFirstAdmin(
  configured: { email: string | undefined; password: string | undefined },
  dataDir: string,
): FirstAdmin {
  if (configured.email && configured.password) {
    return { email: configured.email, password: configured.password, made: false };
  }
  const make = () => randomBytes(15).toString('base64url');
  return { email: madeEmail, password: keepOnce(join(dataDir, 'secrets'), fileName, make), made: true };
}

/** Printed: the file has done its duty. */
export function forgetFirstAdmin(dataDir: string): void {
  rmSync(join(dataDir, 'secrets', fileName), { force: true });
}

/** Creates the first admin when it starts; `created` tells whether it did. A refused ADMIN_EMAIL or ADMIN_PASSWORD is a `ConfigError`. */
export function createFirstAdmin(
  { email, password, made }: FirstAdmin,
  users: Pick<UserService, 'ensureFirstAdmin'>,
): Component & { readonly created: boolean } {
  let created = false;
  return {
    name: 'first admin',
    get created() {
      return created;
    },
    async start() {
      try {
        created = (await users.ensureFirstAdmin({ email, password, onlyIfNone: made })) === 'created';
      } catch (error) {
        throw asFaultOfSetting(error);
      }
    },
    stop: async () => undefined,
  };
}
