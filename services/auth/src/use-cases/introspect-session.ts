import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { type Session, seenEvery, sessionAnswer, stands } from '../domain/session.js';

/** Does the session still stand? Ended, expired, idle, another user's and unknown ones are one answer. Notes its use at most once a minute. */
export function introspectSession(deps: Dependencies): Handler<typeof authApi.introspectSession> {
  return async ({ body }) => {
    const [session, credentials] = await Promise.all([
      deps.models.sessions.findOne({ _id: body.session_id }).lean<Session>(),
      deps.credentials.find(body.user_id),
    ]);
    const now = deps.clock.now();
    if (session?.userId !== body.user_id || !stands(session, credentials, deps.config.sessionIdleTtl, now)) {
      return { active: false };
    }
    const seen = await noteUse(deps, session, now);
    return { active: true, role: session.role, session: sessionAnswer(seen, session._id) };
  };
}

/** Not worth failing a request: a session whose use could not be noted may only grow idle too early. */
async function noteUse(deps: Dependencies, session: Session, now: number): Promise<Session> {
  if (now - session.lastSeen.getTime() < seenEvery * 1000) return session;
  const lastSeen = new Date(now);
  try {
    await deps.models.sessions.updateOne({ _id: session._id, lastSeen: { $lt: lastSeen } }, { $set: { lastSeen } });
  } catch (error) {
    deps.logger.warn({ err: error }, 'the use of a session could not be noted');
  }
  return { ...session, lastSeen };
}
