import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { type Session, sessionAnswer, stands } from '../domain/session.js';

/** More than anybody looks through; the rest run out by themselves. */
const most = 200;

/** The sessions of a user that stand, newest first. */
export function listSessions(deps: Dependencies): Handler<typeof authApi.listSessions> {
  return async ({ params }, context) => {
    const [sessions, credentials] = await Promise.all([
      deps.models.sessions.find({ userId: params.user_id }).sort({ createdAt: -1 }).limit(most).lean<Session[]>(),
      deps.credentials.find(params.user_id),
    ]);
    const now = deps.clock.now();
    const standing = sessions.filter((session) => stands(session, credentials, deps.config.sessionIdleTtl, now));
    return { sessions: standing.map((session) => sessionAnswer(session, context.principal?.sessionId ?? null)) };
  };
}
