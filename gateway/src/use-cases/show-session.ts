import type { publicApi, User } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import type { RecentUsers } from '../sessions/recent-users.js';
import type { Sessions } from '../sessions/sessions.js';
import type { Standing } from '../sessions/standing.js';

/** The session as auth described it when it was checked a moment ago, and its user as the user service did. */
export function showSession(deps: {
  users: Pick<RecentUsers, 'recent'>;
  sessions: Pick<Sessions, 'behind'>;
}): Handler<typeof publicApi.showSession> {
  return (_input, context) => {
    const standing = deps.sessions.behind(context.principal);
    if (standing === null) throw new Problem('session-required');
    const user = deps.users.recent(standing.principal.userId, context);
    return user instanceof Promise ? user.then((found) => answer(standing, found)) : answer(standing, user);
  };
}

function answer({ session }: Standing, user: User | null) {
  // Deleted a moment ago: its sessions have ended.
  if (user === null || user.deletedAt !== null) throw new Problem('session-required');
  return { user, session };
}
