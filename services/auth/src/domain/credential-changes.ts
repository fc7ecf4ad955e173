import type { Credentials, StoredPassword } from './credentials.js';

/** Fields to set. Each function below is one thing that happens to credentials; the write adds `dueAt`. */
export type CredentialChanges = Partial<Omit<Credentials, 'dueAt'>>;

/** What every way of setting a password does: the prior hash and every link are gone in the same write. */
export function withNewPassword(password: StoredPassword): CredentialChanges {
  return { ...withoutResets(), password, state: 'active', provisionalSince: null };
}

/** No link works any more, nothing is left to restore. A password that a reset replaced stays replaced. */
export function withoutResets(): CredentialChanges {
  return { temporary: null, prior: null, tokens: [], replacedAt: null, linksMailedAt: [] };
}

/** Ends every session, except perhaps the one that acts. */
export function endingSessions(credentials: Credentials, keep: string | null = null): CredentialChanges {
  return { sessionGeneration: credentials.sessionGeneration + 1, keptSession: keep };
}

/** Nothing logs in any more. The generation goes on rising, so that no session is revived. */
export function disabled(credentials: Credentials): CredentialChanges {
  return {
    ...withoutResets(),
    ...endingSessions(credentials),
    state: 'disabled',
    password: null,
    disownableChanges: [],
    askedAt: null,
    provisionalSince: null,
  };
}

/** The user record exists: no longer provisional. */
export function confirmed(credentials: Credentials): CredentialChanges {
  return credentials.state === 'provisional' ? { state: 'active', provisionalSince: null } : {};
}
