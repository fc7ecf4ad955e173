import { type CallContext, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { endingSessions, withNewPassword } from '../domain/credential-changes.js';
import type { Credentials } from '../domain/credentials.js';
import { type Session, stands } from '../domain/session.js';
import { audit } from './audit.js';
import { requireActiveUser } from './mail-link.js';
import { noteChangedPassword } from './note-changed-password.js';
import { provePassword } from './prove-password.js';
import { removeEndedSessions } from './remove-ended-sessions.js';

interface Replacement {
  readonly userId: number;
  readonly password: string;
  readonly current_password?: string | undefined;
  readonly email: string;
  readonly name: string;
}

/**
 * Another password for a user: by itself, with the current one (its other sessions end, S13, S45), or by an admin for somebody else (all end).
 * Who acts is the context's principal, never a field. Throws `credentials-rejected`, `reset-pending`, `not-found`.
 */
export async function replacePassword(deps: Dependencies, wanted: Replacement, context: CallContext): Promise<void> {
  const { userId } = wanted;
  const byAdmin = context.principal?.role === 'admin' && context.principal.userId !== userId;
  const proven = byAdmin ? null : await proveSelf(deps, wanted, context);
  // A user made without a password may have no credentials yet; one that does not exist gets none.
  if (byAdmin) await requireActiveUser(deps, userId, context);
  const own = byAdmin ? null : await ownSession(deps, userId, context);
  const password = await deps.passwords.hash(wanted.password, context);

  const decide = (current: Credentials) => {
    if (current.state === 'disabled') throw new Problem('not-found');
    if (proven) requireUnchanged(current, proven);
    const keep = own && stands(own, current, deps.config.sessionIdleTtl, deps.clock.now()) ? own._id : null;
    const noted = noteChangedPassword(deps, current, {
      userId,
      to: wanted.email,
      name: wanted.name,
      languages: byAdmin ? null : context.client.languages,
      changedFrom: byAdmin ? null : context.client.address,
    });
    const set = { ...withNewPassword(password), ...endingSessions(current, keep), ...noted.set };
    return { set, events: [noted.event] };
  };
  const changed = await deps.credentials.changeOrCreate(userId, decide, context.requestId);
  await removeEndedSessions(deps, userId, changed);
  audit(deps, context, { action: 'set-password', result: 'success', userId });
}

function proveSelf(deps: Dependencies, wanted: Replacement, context: CallContext): Promise<Credentials> {
  if (wanted.current_password === undefined) {
    throw new Problem('credentials-rejected', { detail: 'The current password is needed' });
  }
  const { userId, email, current_password: password } = wanted;
  return provePassword(deps, { userId, email, password }, context);
}

async function ownSession(deps: Dependencies, userId: number, context: CallContext): Promise<Session | null> {
  const sessionId = context.principal?.sessionId;
  if (!sessionId) return null;
  return deps.models.sessions.findOne({ _id: sessionId, userId }).lean<Session>();
}

/** The password that was proven must still be the one in force when the new one is written. */
function requireUnchanged(current: Credentials, proven: Credentials): void {
  if (current.temporary) throw new Problem('reset-pending');
  if (current.password?.hash !== proven.password?.hash) throw new Problem('credentials-rejected');
}
