/** Seconds to wait after the first, second … failed attempt; the last one repeats. */
const calendar = [1, 5, 15, 60, 5 * 60, 15 * 60, 3600, 2 * 3600, 4 * 3600] as const;

/** How long a mail without a `notAfter` is tried for. */
const patience = 3 * 24 * 3600;

const jitter = 0.1;

/** The moment after which a mail is not worth sending any more. */
export function lastMoment(mail: { notAfter: Date | null; createdAt: Date }): Date {
  return mail.notAfter ?? new Date(mail.createdAt.getTime() + patience * 1000);
}

/**
 * When to try again after `failures` failed attempts (F19): the calendar ± 10 %, so that mails which failed together do not come back together.
 * `null`: the next attempt would be past `last`, so there is none.
 */
export function nextAttempt(failures: number, now: Date, last: Date, random: () => number): Date | null {
  const step = calendar[Math.min(Math.max(failures, 1), calendar.length) - 1] as number;
  const delay = step * (1 - jitter + 2 * jitter * random());
  const next = new Date(now.getTime() + delay * 1000);
  return next > last ? null : next;
}
