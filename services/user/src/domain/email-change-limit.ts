import { Problem } from '@latchkey/kit';

const HOUR = 60 * 60 * 1000;
const PER_HOUR = 5;

/** When changes of email were asked for within an hour. */
export function askedWithinAnHour(times: readonly Date[] | undefined, now: number): Date[] {
  return (times ?? []).filter((at) => now - at.getTime() < HOUR);
}

/**
 * Each change of email that has to be confirmed mails an address of the user's choice, who need not have asked for it: at most five an hour for each user. Throws
 * `rate-limited`. `scale`: RATE_LIMIT_SCALE.
 */
export function requireEmailChangeAllowed(times: readonly Date[] | undefined, scale: number, now: number): void {
  const most = Math.max(1, Math.round(PER_HOUR * scale));
  const recent = askedWithinAnHour(times, now);
  const oldest = recent.at(-most);
  if (oldest === undefined) return;
  const retryAfter = Math.max(1, Math.ceil((oldest.getTime() + HOUR - now) / 1000));
  throw new Problem('rate-limited', { limit: 'email-changes-per-user', retryAfter });
}
