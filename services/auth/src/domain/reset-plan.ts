import type { Credentials } from './credentials.js';
import type { LinkLimits } from './limits.js';
import { isLive } from './link-token.js';

export interface ResetRules {
  readonly mode: 'bounded' | 'deferred';
  readonly links: LinkLimits;
}

/** What one request for a reset does. */
export interface ResetPlan {
  /** A link is mailed. When not, nothing but `askedAt` changes: never a replaced password without a mail. */
  readonly mails: boolean;
  /** The password becomes a temporary value. */
  readonly replaces: boolean;
  /** The mail carries a "this was not me" link. */
  readonly disownable: boolean;
}

const day = 24 * 60 * 60 * 1000;
const hour = 60 * 60 * 1000;

/**
 * The bounded variant (api.md, "Reset"): the first unused request in 24 h replaces the password and always mails; later ones only mail another
 * link, at most one a minute, five an hour and three live, and never prolong the lockout. `deferred` never replaces.
 */
export function planReset(credentials: Credentials, rules: ResetRules, now: number): ResetPlan {
  if (credentials.state === 'disabled') return { mails: false, replaces: false, disownable: false };
  const first = !credentials.replacedAt || now - credentials.replacedAt.getTime() >= day;
  const replaces = rules.mode === 'bounded' && first && credentials.password !== null;
  if (replaces) return { mails: true, replaces, disownable: true };
  const mails = isWithinLimits(credentials, rules.links, now);
  return { mails, replaces, disownable: mails && credentials.temporary !== null };
}

function isWithinLimits(credentials: Credentials, limits: LinkLimits, now: number): boolean {
  const mailed = mailedWithinAnHour(credentials, now).map((at) => at.getTime());
  const last = Math.max(...mailed, Number.NEGATIVE_INFINITY);
  const live = credentials.tokens.filter((token) => token.kind === 'reset' && isLive(token, now));
  return now - last >= limits.interval * 1000 && mailed.length < limits.perHour && live.length < limits.live;
}

export function mailedWithinAnHour(credentials: Credentials, now: number): Date[] {
  return credentials.linksMailedAt.filter((at) => now - at.getTime() < hour);
}
