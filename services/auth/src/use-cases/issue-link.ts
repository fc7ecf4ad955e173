import type { Dependencies } from '../dependencies.js';
import type { LinkToken } from '../domain/credentials.js';
import { hashOfSecret, newLinkSecret } from '../domain/link-token.js';

/** A fresh secret for a mailed link: what is stored of it, and what the mailer alone can open (S47, S48). */
export interface IssuedLink {
  readonly token: LinkToken;
  readonly sealedToken: string;
  readonly sealedDisownToken: string;
}

/** `seconds`: how long the link works. The disown secret is always made, so that making it takes no extra time where it is used. */
export function issueLink(
  deps: Pick<Dependencies, 'sealer' | 'clock'>,
  kind: LinkToken['kind'],
  seconds: number,
): IssuedLink {
  const secret = newLinkSecret();
  const disown = newLinkSecret();
  const now = deps.clock.now();
  return {
    token: {
      hash: hashOfSecret(secret),
      disownHash: hashOfSecret(disown),
      kind,
      requestedAt: new Date(now),
      expiresAt: new Date(now + seconds * 1000),
    },
    sealedToken: deps.sealer.seal(secret, kind === 'invitation' ? 'invitation-token' : 'reset-token'),
    sealedDisownToken: deps.sealer.seal(disown, 'disown-token'),
  };
}
