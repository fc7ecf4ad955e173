import type { authApi, publicApi } from '@latchkey/contracts';
import type { ClientOf, Handler } from '@latchkey/kit';
import type { Sessions } from '../sessions/sessions.js';

/** The token leaves in the cookie only, never in the body (S29). A cookie that came along is not looked at: every login is a new session (S24). */
export function logIn(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'logIn'>;
  sessions: Sessions;
}): Handler<typeof publicApi.logIn> {
  return async ({ body }, context, exchange) => {
    const { user, token } = await deps.auth.logIn({ body }, context);
    await deps.sessions.begin(exchange, token);
    return { user };
  };
}
