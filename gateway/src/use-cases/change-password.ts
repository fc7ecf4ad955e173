import type { authApi, publicApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';
import type { Sessions } from '../sessions/sessions.js';

/** Ends every session of the user and logs nobody in (S59). */
export function changePassword(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'changePassword'>;
  sessions: Sessions;
}): Handler<typeof publicApi.changePassword> {
  return ({ body }, context) =>
    deps.sessions.endingOfUser(body.user_id, () => deps.auth.changePassword({ body }, context));
}
