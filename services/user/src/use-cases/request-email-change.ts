import { emailChangeRequested } from '@latchkey/contracts';
import type { CallContext } from '@latchkey/kit';
import { newEvent } from '@latchkey/persistence';
import type { Dependencies } from '../dependencies.js';
import { newEmailChange } from '../domain/email-change.js';
import { fullName, type Names } from '../domain/names.js';

/** What is stored of a wanted email, and the event that mails its link: the token leaves this process sealed only (S48, O10). */
export function requestEmailChange(
  deps: Dependencies,
  userId: number,
  newEmail: string,
  names: Names,
  context: CallContext,
) {
  const { change, token } = newEmailChange(newEmail, context.requestId, deps.clock.now());
  const payload = {
    userId,
    to: newEmail,
    name: fullName(names),
    sealedToken: deps.sealer.seal(token, 'email-confirmation'),
    expiresAt: change.expiresAt.toISOString(),
    languages: context.client.languages,
  };
  return { emailChange: change, event: newEvent(emailChangeRequested, payload, { notAfter: change.expiresAt }) };
}
