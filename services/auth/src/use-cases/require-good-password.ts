import { Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { refusalOf } from '../domain/password-policy.js';

/** Throws `validation-failed` with the reason when the policy refuses the password (S01, S06, S07). */
export function requireGoodPassword(
  { config }: Pick<Dependencies, 'config'>,
  password: string,
  context: readonly string[],
): void {
  const reason = refusalOf(password, context, { minLength: config.passwordMinLength, productName: config.productName });
  if (reason === undefined) return;
  throw new Problem('validation-failed', {
    detail: `The password ${reason}.`,
    errors: [{ path: 'body.password', message: reason }],
  });
}
