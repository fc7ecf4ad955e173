import type { authApi, publicApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';
import type { Sessions } from '../sessions/sessions.js';

/** Disowning a change ends every session of the user, so what is remembered of them here goes too (S38). */
export function disownReset(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'disownReset'>;
  sessions: Sessions;
}): Handler<typeof publicApi.disownReset> {
  return ({ body }, context) =>
    deps.sessions.endingOfUser(body.user_id, () => deps.auth.disownReset({ body }, context));
}
