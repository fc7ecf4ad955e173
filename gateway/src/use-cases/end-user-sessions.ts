import type { authApi, publicApi, userApi } from '@latchkey/contracts';
import { type ClientOf, type Handler, Problem } from '@latchkey/kit';
import type { Sessions } from '../sessions/sessions.js';

export function endUserSessions(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'endAllSessions'>;
  users: Pick<ClientOf<typeof userApi>, 'findUserById'>;
  sessions: Sessions;
}): Handler<typeof publicApi.endUserSessions> {
  return async ({ params }, context) => {
    const ofUser = { params: { user_id: String(params.id) } };
    const { user } = await deps.users.findUserById(ofUser, context);
    if (user === null) throw new Problem('not-found');
    await deps.sessions.endingOfUser(params.id, () => deps.auth.endAllSessions(ofUser, context));
    return { message: 'Every session of the user has ended.' };
  };
}
