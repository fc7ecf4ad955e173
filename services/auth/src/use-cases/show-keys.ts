import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';

/** The public keys of session tokens (RFC 7517). */
export function showKeys(deps: Pick<Dependencies, 'tokens'>): Handler<typeof authApi.showKeys> {
  return async () => deps.tokens.keys;
}
