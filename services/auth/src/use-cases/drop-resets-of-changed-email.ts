import type { emailChanged, Message, PayloadOf } from '@latchkey/contracts';
import type { Dependencies } from '../dependencies.js';
import { withoutResets } from '../domain/credential-changes.js';

/** An email changed: links that went to the old address end. Those asked for since then went to the new one and stay. */
export function dropResetsOfChangedEmail(deps: Dependencies) {
  return async (message: Message<PayloadOf<typeof emailChanged>>): Promise<void> => {
    const changedAt = Date.parse(message.occurredAt);
    await deps.credentials.change(
      message.payload.userId,
      (current) => {
        const later = current.tokens.filter((token) => token.requestedAt.getTime() > changedAt);
        const replacedLater = current.temporary !== null && current.temporary.since.getTime() > changedAt;
        if (replacedLater) return { set: { tokens: later } };
        return { set: { ...withoutResets(), tokens: later, linksMailedAt: later.map((token) => token.requestedAt) } };
      },
      message.correlationId,
    );
  };
}
