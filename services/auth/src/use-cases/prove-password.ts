import { type CallContext, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import type { Credentials } from '../domain/credentials.js';
import { audit } from './audit.js';

/**
 * A user proves itself by its current password. Failures count like those of a login. Throws `credentials-rejected`, `reset-pending` (nothing matches
 * until the reset is over), `rate-limited`. Returns the credentials it was true of.
 */
export async function provePassword(
  deps: Dependencies,
  claim: { userId: number; email: string; password: string },
  context: CallContext,
): Promise<Credentials> {
  const { userId } = claim;
  const credentials = await deps.credentials.find(userId);
  if (credentials?.temporary) throw new Problem('reset-pending');
  const proven = await deps.attempts
    .guard(
      deps.accountKey(claim.email),
      context,
      async () => {
        const stored = credentials?.password ?? null;
        return (await deps.passwords.matches(claim.password, stored, context)) ? credentials : null;
      },
      (proven) => proven,
    )
    .catch((error: unknown) => {
      audit(deps, context, { action: 'verify-password', result: 'refused', userId });
      throw error;
    });
  audit(deps, context, { action: 'verify-password', result: proven ? 'success' : 'failure', userId });
  if (!proven) throw new Problem('credentials-rejected', { detail: 'The current password is wrong' });
  return proven;
}
