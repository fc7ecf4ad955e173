export interface Names {
  readonly first_name: string;
  readonly last_name: string;
}

/** How a mail addresses the user. */
export function fullName(names: Names): string {
  return `${names.first_name} ${names.last_name}`;
}

/** The user's own words, which its password may not contain (S07). */
export function ownWords(emails: readonly string[], names: Names): string[] {
  return [...new Set([...emails, names.first_name, names.last_name, fullName(names)])];
}
