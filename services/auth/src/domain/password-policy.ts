import { isCommonPassword } from './frequent-passwords.js';

export interface PasswordPolicy {
  /** In Unicode code points (S01). */
  readonly minLength: number;
  /** Nobody's password may contain it (S07). */
  readonly productName: string;
}

/** In UTF-16 units, as the contract's field counts it; no byte limit, since passwords are hashed before bcrypt sees them (S02, S03). */
export const maxLength = 256;

/** Own words shorter than this, in code points, are too likely to occur by chance. */
const shortestOwnWord = 4;

/**
 * Why this password may not be set, for people to read; undefined when it may. No rule on composition (S05). `context`: the user's email and names.
 * Applied when a password is set, never at login (S08).
 */
export function refusalOf(password: string, context: readonly string[], policy: PasswordPolicy): string | undefined {
  if ([...password].length < policy.minLength) return `must have at least ${policy.minLength} characters`;
  if (password.length > maxLength) return `must have at most ${maxLength} characters`;
  const folded = fold(password);
  if (isCommonPassword(folded)) return 'is one of the most common passwords';
  if (ownWords([policy.productName]).some((word) => folded.includes(word))) {
    return 'must not contain the name of this service';
  }
  if (ownWords(context).some((word) => folded.includes(word))) return 'must not contain your name or email';
  return undefined;
}

/** Of an email its local part, of a name its parts. */
function ownWords(context: readonly string[]): string[] {
  return context
    .flatMap((text) => (text.includes('@') ? [text.slice(0, text.lastIndexOf('@'))] : [text, ...text.split(/\s+/u)]))
    .map((word) => fold(word.trim()))
    .filter((word) => [...word].length >= shortestOwnWord);
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
