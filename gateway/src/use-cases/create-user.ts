import type { publicApi, userApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';

export function createUser(deps: {
  users: Pick<ClientOf<typeof userApi>, 'createUser'>;
}): Handler<typeof publicApi.createUser> {
  return async ({ body }, context, exchange) => {
    const created = await deps.users.createUser({ body }, context);
    exchange.setHeader('Location', `/user/${created.user.id}`);
    return created;
  };
}
