import type { publicApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Sessions } from '../sessions/sessions.js';

/** For those who verify session tokens themselves. Public keys may be kept for a minute. */
export function showKeys(deps: { sessions: Sessions }): Handler<typeof publicApi.showKeys> {
  return async (_input, _context, exchange) => {
    const keys = await deps.sessions.publicKeys();
    exchange.setHeader('Cache-Control', 'public, max-age=60');
    return keys;
  };
}
