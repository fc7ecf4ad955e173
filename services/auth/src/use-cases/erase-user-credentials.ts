import type { Dependencies } from '../dependencies.js';
import { disabled } from '../domain/credential-changes.js';

/** Wipes hash, prior hash and links, ends the sessions, and leaves a disabled mark that nothing revives: user ids are never used twice. Idempotent. */
export async function eraseUserCredentials(deps: Dependencies, userId: number, correlationId: string): Promise<void> {
  await deps.credentials.changeOrCreate(
    userId,
    (current) => (current.state === 'disabled' ? null : { set: disabled(current) }),
    correlationId,
  );
  await deps.models.sessions.deleteMany({ userId });
}
