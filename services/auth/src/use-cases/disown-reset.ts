import type { authApi } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import type { Credentials } from '../domain/credentials.js';
import { hashOfSecret, isLive } from '../domain/link-token.js';
import { restored } from '../domain/prior-password.js';
import { audit } from './audit.js';
import { countMiss } from './present-token.js';

/** "This was not me": the prior password comes back at once and every link ends. The request stays unused, so that another cannot replace the password within 24 h. */
export function disownReset(deps: Dependencies): Handler<typeof authApi.disownReset> {
  return async ({ body: { disown_token, user_id: userId } }, context) => {
    const hash = hashOfSecret(disown_token);
    const mayDisown = (credentials: Credentials | null) =>
      credentials?.state !== 'disabled' &&
      credentials?.tokens.some((token) => token.disownHash === hash && isLive(token, deps.clock.now())) === true;

    if (!mayDisown(await deps.credentials.find(userId))) {
      await countMiss(deps, userId, context);
      throw new Problem('link-invalid');
    }
    await deps.credentials.change(
      userId,
      (current) => {
        if (!mayDisown(current)) throw new Problem('link-invalid');
        return { set: { ...restored(current, deps.priorSeal), tokens: [] } };
      },
      context.requestId,
    );
    audit(deps, context, { action: 'disown-reset', result: 'success', userId });
    return { message: 'The reset was taken back: your earlier password works again.' };
  };
}
