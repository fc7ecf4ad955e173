import type { Message, mailAbandoned, PayloadOf } from '@latchkey/contracts';
import type { Dependencies } from '../dependencies.js';
import { isLive } from '../domain/link-token.js';
import { restored } from '../domain/prior-password.js';

/** A mail will never arrive: the link it carried ends, and if it was the last one of a reset the prior password comes back. */
export function restorePassword(deps: Dependencies) {
  return async (message: Message<PayloadOf<typeof mailAbandoned>>): Promise<void> => {
    const { userId, tokenHash } = message.payload;
    if (tokenHash === null) return;
    await deps.credentials.change(
      userId,
      (current) => {
        if (!current.tokens.some((token) => token.hash === tokenHash)) return null;
        const tokens = current.tokens.filter((token) => token.hash !== tokenHash);
        const another = tokens.some((token) => token.kind !== 'invitation' && isLive(token, deps.clock.now()));
        return { set: { tokens, ...(another ? {} : restored(current, deps.priorSeal)) } };
      },
      message.correlationId,
    );
  };
}
