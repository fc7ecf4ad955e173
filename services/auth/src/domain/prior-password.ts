import type { CredentialChanges } from './credential-changes.js';
import type { Credentials, StoredPassword } from './credentials.js';

/** Seals and opens the prior hash. `open` gives null when no key of ours opens it any more. */
export interface PriorSeal {
  seal(hash: string): string;
  open(sealed: string): string | null;
}

/** The password becomes a temporary value until `until`; its hash is kept sealed, so that nothing stored logs in. */
export function replaced(credentials: Credentials, now: number, until: Date, seal: PriorSeal): CredentialChanges {
  if (!credentials.password) return {};
  const { hash, scheme, pepperId } = credentials.password;
  return {
    password: null,
    temporary: { since: new Date(now), until },
    prior: { sealedHash: seal.seal(hash), scheme, pepperId },
    replacedAt: new Date(now),
  };
}

/** The prior password comes back. `replacedAt` stays: the request was not used, so none replaces again within 24 h. */
export function restored(credentials: Credentials, seal: PriorSeal): CredentialChanges {
  if (!credentials.temporary) return {};
  return { temporary: null, prior: null, password: priorPassword(credentials, seal) };
}

/** What time alone has changed: a temporary value that ran out unused is the prior password again. Whoever reads credentials sees them settled. */
export function settled(credentials: Credentials, now: number, seal: PriorSeal): CredentialChanges {
  const until = credentials.temporary?.until.getTime() ?? Number.POSITIVE_INFINITY;
  return now < until ? {} : restored(credentials, seal);
}

function priorPassword({ prior }: Credentials, seal: PriorSeal): StoredPassword | null {
  const hash = prior && seal.open(prior.sealedHash);
  return prior && hash ? { hash, scheme: prior.scheme, pepperId: prior.pepperId } : null;
}
