import type { authApi } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { type CredentialChanges, endingSessions } from '../domain/credential-changes.js';
import type { Credentials } from '../domain/credentials.js';
import { stillDisownable } from '../domain/disownable-change.js';
import { hashOfSecret, isLive } from '../domain/link-token.js';
import { restored } from '../domain/prior-password.js';
import { audit } from './audit.js';
import { countMiss } from './present-token.js';
import { removeEndedSessions } from './remove-ended-sessions.js';

const messages = {
  'disown-reset': 'The reset was taken back: your earlier password works again.',
  'disown-change': 'Every session was ended. Now ask for a link and set a password that only you know.',
};
interface Disowning {
  readonly action: keyof typeof messages;
  readonly set: CredentialChanges;
}

/**
 * "This was not me". Of a reset: the prior password comes back at once and every link ends; the request stays unused, so that another cannot replace the
 * password within 24 h. Of a change: every session ends, and the secret is spent. The change itself is not undone, since nothing tells which of the two passwords is
 * the thief's; whoever reads the mailbox sets another.
 */
export function disownReset(deps: Dependencies): Handler<typeof authApi.disownReset> {
  return async ({ body: { disown_token, user_id: userId } }, context) => {
    const hash = hashOfSecret(disown_token);

    function plan(current: Credentials | null): Disowning | null {
      const now = deps.clock.now();
      if (!current || current.state === 'disabled') return null;
      if (current.tokens.some((token) => token.disownHash === hash && isLive(token, now))) {
        return { action: 'disown-reset', set: { ...restored(current, deps.priorSeal), tokens: [] } };
      }
      const changes = stillDisownable(current.disownableChanges, now);
      const others = changes.filter(({ disownHash }) => disownHash !== hash);
      if (others.length === changes.length) return null;
      return { action: 'disown-change', set: { ...endingSessions(current), disownableChanges: others } };
    }

    const wanted = plan(await deps.credentials.find(userId));
    if (!wanted) {
      await countMiss(deps, userId, context);
      throw new Problem('link-invalid');
    }
    const changed = await deps.credentials.change(
      userId,
      (current) => {
        const still = plan(current);
        if (!still) throw new Problem('link-invalid');
        return { set: still.set };
      },
      context.requestId,
    );
    if (changed && wanted.action === 'disown-change') await removeEndedSessions(deps, userId, changed);
    audit(deps, context, { action: wanted.action, result: 'success', userId });
    return { message: messages[wanted.action] };
  };
}
