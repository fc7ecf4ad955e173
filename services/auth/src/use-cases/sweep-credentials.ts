import { systemContext } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { type CredentialChanges, confirmed } from '../domain/credential-changes.js';
import { type Credentials, provisionalFor } from '../domain/credentials.js';
import { stillDisownable } from '../domain/disownable-change.js';
import { isLive } from '../domain/link-token.js';
import { eraseUserCredentials } from './erase-user-credentials.js';

const batch = 100;

/**
 * What time alone brings about: an unused reset runs out and the prior password comes back, dead links are removed, credentials of a creation that was
 * never finished are erased. Logins see all that without waiting for the sweep.
 */
export function sweepCredentials(deps: Dependencies): () => Promise<void> {
  return async () => {
    for (;;) {
      const due = await deps.credentials.findDue(deps.clock.now(), batch);
      let failures = 0;
      for (const userId of due) {
        try {
          await settle(deps, userId);
        } catch (error) {
          failures++;
          deps.logger.warn({ err: error, user_id: userId }, 'credentials could not be swept');
        }
      }
      // What failed stays due: it comes again with the next sweep, not at once.
      if (due.length < batch || failures > 0) return;
    }
  };
}

async function settle(deps: Dependencies, userId: number): Promise<void> {
  const context = systemContext({ clock: deps.clock });
  const credentials = await deps.credentials.find(userId);
  if (!credentials) return;
  let confirmation: (current: Credentials) => CredentialChanges = () => ({});
  if (isStaleProvision(credentials, deps.clock.now())) {
    const { user } = await deps.users.findUserById({ params: { user_id: String(userId) } }, context);
    if (!user || user.deletedAt !== null) return eraseUserCredentials(deps, userId, context.requestId);
    confirmation = confirmed;
  }
  await deps.credentials.change(
    userId,
    (current) => {
      const now = deps.clock.now();
      const tokens = current.tokens.filter((token) => isLive(token, now));
      const disownableChanges = stillDisownable(current.disownableChanges, now);
      return { set: { tokens, disownableChanges, ...confirmation(current) } };
    },
    context.requestId,
  );
}

function isStaleProvision({ provisionalSince }: Credentials, now: number): boolean {
  return provisionalSince !== null && now - provisionalSince.getTime() >= provisionalFor * 1000;
}
