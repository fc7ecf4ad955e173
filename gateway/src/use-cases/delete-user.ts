import type { publicApi, userApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';
import type { Sessions } from '../sessions/sessions.js';

export function deleteUser(deps: {
  users: Pick<ClientOf<typeof userApi>, 'deleteUser'>;
  sessions: Sessions;
}): Handler<typeof publicApi.deleteUser> {
  return ({ params }, context) =>
    deps.sessions.endingOfUser(params.id, () => deps.users.deleteUser({ params: { id: String(params.id) } }, context));
}
