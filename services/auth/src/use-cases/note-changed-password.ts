import { type PayloadOf, passwordChanged } from '@latchkey/contracts';
import { type NewEvent, newEvent } from '@latchkey/persistence';
import type { Dependencies } from '../dependencies.js';
import type { CredentialChanges } from '../domain/credential-changes.js';
import type { Credentials } from '../domain/credentials.js';
import { withDisownableChange } from '../domain/disownable-change.js';
import { hashOfSecret, newLinkSecret } from '../domain/link-token.js';

type Notice = Omit<PayloadOf<typeof passwordChanged>, 'changedAt' | 'sealedDisownToken'>;

/**
 * What every change of a password writes beside the new hash: the event of the notice (S60), and what its "this was not me" link is checked by. The link's
 * secret can end sessions and nothing else.
 */
export function noteChangedPassword(
  deps: Pick<Dependencies, 'clock' | 'sealer'>,
  current: Credentials,
  notice: Notice,
): { set: CredentialChanges; event: NewEvent } {
  const now = deps.clock.now();
  const secret = newLinkSecret();
  return {
    set: { disownableChanges: withDisownableChange(current.disownableChanges, hashOfSecret(secret), now) },
    event: newEvent(passwordChanged, {
      ...notice,
      changedAt: new Date(now).toISOString(),
      sealedDisownToken: deps.sealer.seal(secret, 'disown-token'),
    }),
  };
}
