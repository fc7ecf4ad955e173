import type { Credentials, DisownableChange } from './credentials.js';

const day = 24 * 60 * 60 * 1000;

/** How long a change can be disowned, in ms: somebody may read the notice after a few days away. */
export const disownableFor = 7 * day;
/** How many changes can be disowned at a time; an older notice's link is dead then. */
const most = 5;

export function stillDisownable(changes: Credentials['disownableChanges'], now: number): DisownableChange[] {
  return changes.filter((change) => now < change.until.getTime());
}

export function withDisownableChange(
  changes: Credentials['disownableChanges'],
  disownHash: string,
  now: number,
): DisownableChange[] {
  const added = { disownHash, until: new Date(now + disownableFor) };
  return [...stillDisownable(changes, now), added].slice(-most);
}
