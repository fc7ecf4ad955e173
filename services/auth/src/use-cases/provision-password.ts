import { type CallContext, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';

/**
 * The first password of a user being created: provisional until the user is active. The same one again is no change; any other, and any for
 * credentials that were disabled (the creation was abandoned), is `not-found`: no user waits for a first password there.
 */
export async function provisionPassword(
  deps: Dependencies,
  userId: number,
  password: string,
  context: CallContext,
): Promise<void> {
  if (await isProvisioned(deps, userId, password, context)) return;
  const first = {
    state: 'provisional',
    password: await deps.passwords.hash(password, context),
    provisionalSince: new Date(deps.clock.now()),
  } as const;
  if (await deps.credentials.create(userId, first, context.requestId)) return;
  // Somebody was faster: the same request again, or its abandonment.
  await isProvisioned(deps, userId, password, context);
}

async function isProvisioned(
  deps: Dependencies,
  userId: number,
  password: string,
  context: CallContext,
): Promise<boolean> {
  const existing = await deps.credentials.find(userId);
  if (!existing) return false;
  if (existing.password && (await deps.passwords.matches(password, existing.password, context))) return true;
  throw new Problem('not-found', { detail: 'No user waits for a first password there' });
}
