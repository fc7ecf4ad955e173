import type { User } from '@latchkey/contracts';

/** Whom a mail goes to. `languages`: the Accept-Language of the request it comes from, if it is the recipient's own. */
export function recipientOf(user: User, languages: string | null) {
  return { userId: user.id, to: user.email, name: fullName(user), languages };
}

export function fullName(user: User): string {
  return `${user.first_name} ${user.last_name}`.trim();
}

/** What the user's password may not contain (S07). */
export function ownWordsOf(user: User): string[] {
  return [user.email, user.first_name, user.last_name];
}
