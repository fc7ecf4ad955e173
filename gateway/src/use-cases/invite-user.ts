import type { authApi, publicApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';

export function inviteUser(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'inviteUser'>;
}): Handler<typeof publicApi.inviteUser> {
  return ({ params }, context) => deps.auth.inviteUser({ params: { user_id: String(params.id) } }, context);
}
