import type { publicApi, userApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';
import type { Sessions } from '../sessions/sessions.js';

/** A new password or role ends sessions of the user: of a password set by the user itself all but the acting one, as auth decides. */
export function updateUser(deps: {
  users: Pick<ClientOf<typeof userApi>, 'updateUser'>;
  sessions: Sessions;
}): Handler<typeof publicApi.updateUser> {
  return ({ params, body }, context) => {
    const update = () => deps.users.updateUser({ params: { id: String(params.id) }, body }, context);
    const endsSessions = body.password !== undefined || body.role !== undefined;
    return endsSessions ? deps.sessions.endingOfUser(params.id, update) : update();
  };
}
