import { invitationRequested, type Message, type PayloadOf, type userCreated } from '@latchkey/contracts';
import { newEvent } from '@latchkey/persistence';
import type { Dependencies } from '../dependencies.js';
import { confirmed } from '../domain/credential-changes.js';
import { hasPassword } from '../domain/credentials.js';
import { withToken } from '../domain/link-token.js';
import { issueLink } from './issue-link.js';

/** A user became active: made with a password, its credentials are no longer provisional; made without one, it is invited, once however often the event comes. */
export function inviteCreatedUser(deps: Dependencies) {
  return async (message: Message<PayloadOf<typeof userCreated>>): Promise<void> => {
    const { userId, email, name, languages } = message.payload;
    if (message.payload.hasPassword) {
      await deps.credentials.change(userId, (current) => ({ set: confirmed(current) }), message.correlationId);
      return;
    }
    const { token, sealedToken } = issueLink(deps, 'invitation', deps.config.invitationTtl);
    const { hash: tokenHash, expiresAt, requestedAt } = token;
    const event = newEvent(
      invitationRequested,
      { userId, to: email, name, languages, sealedToken, expiresAt: expiresAt.toISOString(), tokenHash },
      { notAfter: expiresAt },
    );
    await deps.credentials.changeOrCreate(
      userId,
      (current) => {
        // The invitation and the mark that it was sent are one write.
        if (current.state === 'disabled' || hasPassword(current) || current.invitedBy !== null) return null;
        const tokens = withToken(current.tokens, { ...token, disownHash: null }, requestedAt.getTime());
        return { set: { ...confirmed(current), tokens, invitedBy: message.id }, events: [event] };
      },
      message.correlationId,
    );
  };
}
