import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { provePassword } from './prove-password.js';

/** Checks a user's current password. */
export function verifyPassword(deps: Dependencies): Handler<typeof authApi.verifyPassword> {
  return async ({ params, body }, context) => {
    await provePassword(deps, { userId: params.user_id, email: body.email, password: body.password }, context);
    return {};
  };
}
