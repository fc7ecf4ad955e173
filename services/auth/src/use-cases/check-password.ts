import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { requireGoodPassword } from './require-good-password.js';

/** Would this password be accepted? */
export function checkPassword(deps: Pick<Dependencies, 'config'>): Handler<typeof authApi.checkPassword> {
  return async ({ body }) => {
    requireGoodPassword(deps, body.password, body.context);
    return {};
  };
}
