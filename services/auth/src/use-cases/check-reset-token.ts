import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { presentToken } from './present-token.js';

/** Can this token be used? Spends nothing; same limits as using it. */
export function checkResetToken(deps: Dependencies): Handler<typeof authApi.checkResetToken> {
  return async ({ body }, context) => {
    await presentToken(deps, body, context);
    return { valid: true };
  };
}
