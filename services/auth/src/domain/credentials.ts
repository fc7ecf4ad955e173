/** A hash and what it takes to verify it. `bcrypt`: the password itself was hashed (imported); `bcrypt-hmac-sha384`: `bcrypt(base64(hmac-sha384(password, pepper)))`. */
export interface StoredPassword {
  readonly hash: string;
  readonly scheme: 'bcrypt' | 'bcrypt-hmac-sha384';
  readonly pepperId: string | null;
}

/** The password before a reset: its hash sealed, so that nothing in the document logs in. */
export interface PriorPassword {
  readonly sealedHash: string;
  readonly scheme: StoredPassword['scheme'];
  readonly pepperId: string | null;
}

/** `reset`: asked for with an email; `invitation`: sets the first password; `admin`: an admin had it sent. */
export interface LinkToken {
  /** SHA-256 of the token, hexadecimal (S47). */
  readonly hash: string;
  /** SHA-256 of the secret in the "this was not me" link, null when there is nothing to take back. */
  readonly disownHash: string | null;
  readonly kind: 'reset' | 'invitation' | 'admin';
  readonly requestedAt: Date;
  readonly expiresAt: Date;
}

/** A change of the password that its user can still disown with the secret of the notice. */
export interface DisownableChange {
  /** SHA-256 of the secret, hexadecimal. */
  readonly disownHash: string;
  readonly until: Date;
}

/** What auth keeps of one user, apart from its sessions. The fields of the document beside `_id`, `version` and the outbox. */
export interface Credentials {
  /** `provisional`: the user record is still being made; `disabled`: for good, the user is deleted. */
  readonly state: 'provisional' | 'active' | 'disabled';
  /** null: invited and not yet set, or replaced by a temporary value. */
  readonly password: StoredPassword | null;
  /** The password is a temporary value that nobody knows (bounded reset): this marker stands for it, since a random password that nobody is told need not be hashed (S58). */
  readonly temporary: { readonly since: Date; readonly until: Date } | null;
  readonly prior: PriorPassword | null;
  readonly tokens: readonly LinkToken[];
  /** The newest changes of the password that can still be disowned. */
  readonly disownableChanges: readonly DisownableChange[];
  /** When a request last replaced the password, until a link is used: only the first unused request in 24 h replaces. */
  readonly replacedAt: Date | null;
  /** When reset links were mailed in the last hour. */
  readonly linksMailedAt: readonly Date[];
  /** When a reset was last asked for, mailed or not: written each time, so that every request costs a write (S16). */
  readonly askedAt: Date | null;
  /** A session stands while it carries this number; raising it ends every session in the same write. */
  readonly sessionGeneration: number;
  /** The session that changed the password itself and so outlived the last raise. */
  readonly keptSession: string | null;
  readonly provisionalSince: Date | null;
  /** Id of the event that invited the user, by which its redelivery is known. */
  readonly invitedBy: string | null;
  /** When the sweep has something to do here; indexed. */
  readonly dueAt: Date | null;
}

export const emptyCredentials: Credentials = {
  state: 'active',
  password: null,
  temporary: null,
  prior: null,
  tokens: [],
  disownableChanges: [],
  replacedAt: null,
  linksMailedAt: [],
  askedAt: null,
  sessionGeneration: 0,
  keptSession: null,
  provisionalSince: null,
  invitedBy: null,
  dueAt: null,
};

/** Provisional credentials older than this, in seconds, are checked against the user record. */
export const provisionalFor = 60 * 60;

/** Has the user set a password, whether or not a reset covers it for now? */
export function hasPassword(credentials: Credentials): boolean {
  return credentials.password !== null || credentials.prior !== null;
}

/** When the sweep must look at these credentials next: a temporary value or a token runs out, or a provisional state lasts too long. */
export function dueAt(credentials: Credentials): Date | null {
  const times = [
    credentials.temporary?.until,
    ...credentials.tokens.map((token) => token.expiresAt),
    ...credentials.disownableChanges.map((change) => change.until),
    credentials.provisionalSince && new Date(credentials.provisionalSince.getTime() + provisionalFor * 1000),
  ].flatMap((time) => (time ? [time.getTime()] : []));
  return times.length === 0 ? null : new Date(Math.min(...times));
}
