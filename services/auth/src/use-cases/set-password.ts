import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { provisionPassword } from './provision-password.js';
import { replacePassword } from './replace-password.js';
import { requireGoodPassword } from './require-good-password.js';

/** Sets a user's password without a mailed token: the first one of a user being created, or another one. */
export function setPassword(deps: Dependencies): Handler<typeof authApi.setPassword> {
  return async ({ params, body }, context) => {
    requireGoodPassword(deps, body.password, body.context);
    if (body.mode === 'provision') await provisionPassword(deps, params.user_id, body.password, context);
    else await replacePassword(deps, { ...body, userId: params.user_id }, context);
    return {};
  };
}
