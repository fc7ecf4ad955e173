import { invitationRequested, passwordResetRequested, type User } from '@latchkey/contracts';
import { type CallContext, Problem } from '@latchkey/kit';
import { newEvent } from '@latchkey/persistence';
import type { Dependencies } from '../dependencies.js';
import { confirmed } from '../domain/credential-changes.js';
import type { Credentials } from '../domain/credentials.js';
import { withToken } from '../domain/link-token.js';
import { recipientOf } from '../domain/recipient.js';
import { issueLink } from './issue-link.js';

/** Mails a link that an admin asked for, in one write with its token. `allow` may throw a `Problem`. The password is not touched. */
export async function mailLink(
  deps: Dependencies,
  user: User,
  kind: 'invitation' | 'admin',
  allow: (current: Credentials) => void,
  context: CallContext,
): Promise<void> {
  const { resetTokenTtl, invitationTtl } = deps.config;
  const { sealedToken, token } = issueLink(deps, kind, kind === 'invitation' ? invitationTtl : resetTokenTtl);
  const { requestedAt, expiresAt, hash: tokenHash } = token;
  const common = { ...recipientOf(user, null), sealedToken, expiresAt: expiresAt.toISOString(), tokenHash };
  const until = { notAfter: expiresAt };
  const event =
    kind === 'invitation'
      ? newEvent(invitationRequested, common, until)
      : newEvent(
          passwordResetRequested,
          { ...common, sealedDisownToken: null, requestedAt: requestedAt.toISOString(), requestedFrom: null },
          until,
        );
  await deps.credentials.changeOrCreate(
    user.id,
    (current) => {
      if (current.state === 'disabled') throw new Problem('not-found');
      allow(current);
      const tokens = withToken(current.tokens, { ...token, disownHash: null }, requestedAt.getTime());
      return { set: { ...confirmed(current), tokens }, events: [event] };
    },
    context.requestId,
  );
}

/** The active user, or `not-found`. */
export async function requireActiveUser(deps: Dependencies, userId: number, context: CallContext): Promise<User> {
  const { user } = await deps.users.findUserById({ params: { user_id: String(userId) } }, context);
  if (!user || user.deletedAt !== null) throw new Problem('not-found');
  return user;
}
