import { type authApi, type mailerApi, type paymentApi, publicApi, type userApi } from '@latchkey/contracts';
import { type ClientOf, type Clock, type Route, route } from '@latchkey/kit';
import type { GatewayConfig } from './config.js';
import { forward } from './forward.js';
import { createRecentUsers } from './sessions/recent-users.js';
import type { Sessions } from './sessions/sessions.js';
import { changePassword } from './use-cases/change-password.js';
import { createUser } from './use-cases/create-user.js';
import type { DeadLetterSources } from './use-cases/dead-letter-sources.js';
import { deleteUser } from './use-cases/delete-user.js';
import { disownReset } from './use-cases/disown-reset.js';
import { endOneSession } from './use-cases/end-one-session.js';
import { endSession } from './use-cases/end-session.js';
import { endUserSessions } from './use-cases/end-user-sessions.js';
import { inviteUser } from './use-cases/invite-user.js';
import { listDeadLetters } from './use-cases/list-dead-letters.js';
import { listSessions } from './use-cases/list-sessions.js';
import { logIn } from './use-cases/log-in.js';
import { logOut } from './use-cases/log-out.js';
import { receiveWebhook } from './use-cases/receive-webhook.js';
import { replayDeadLetter } from './use-cases/replay-dead-letter.js';
import { showDeadLetter } from './use-cases/show-dead-letter.js';
import { type HealthSources, showHealth } from './use-cases/show-health.js';
import { showKeys } from './use-cases/show-keys.js';
import { showOpenApi } from './use-cases/show-open-api.js';
import { showSession } from './use-cases/show-session.js';
import { startCheckout } from './use-cases/start-checkout.js';
import { updateUser } from './use-cases/update-user.js';

export interface RouteDeps {
  readonly config: Pick<GatewayConfig, 'publicUrl' | 'brandName' | 'cookieName'>;
  readonly auth: ClientOf<typeof authApi>;
  readonly users: ClientOf<typeof userApi>;
  readonly mailer: ClientOf<typeof mailerApi>;
  /** Left out: nothing is for sale, and its routes are 404. */
  readonly payments?: ClientOf<typeof paymentApi> | undefined;
  readonly deadLetters: DeadLetterSources;
  readonly health: HealthSources;
  readonly sessions: Sessions;
  readonly clock: Clock;
}

/** The gateway's table of contents: every public operation, and what runs it. */
export function routes(given: RouteDeps): Route[] {
  const users = createRecentUsers(given.users, given.clock);
  const deps = { ...given, users };
  const { auth, mailer, payments } = deps;
  const letters = { sources: deps.deadLetters };
  return [
    route(publicApi.showHealth, showHealth(deps)),
    route(publicApi.showKeys, showKeys(deps)),
    route(publicApi.showOpenApi, showOpenApi(deps)),

    route(publicApi.logIn, logIn(deps)),
    route(publicApi.logOut, logOut(deps)),
    route(publicApi.showSession, showSession(deps)),
    route(publicApi.endSession, endSession(deps)),
    route(publicApi.listSessions, listSessions(deps)),
    route(publicApi.endOneSession, endOneSession(deps)),

    route(publicApi.resetPassword, forward(auth.requestPasswordReset)),
    route(publicApi.checkResetToken, forward(auth.checkResetToken)),
    route(publicApi.changePassword, changePassword(deps)),
    route(publicApi.disownReset, disownReset(deps)),

    route(publicApi.createUser, createUser(deps)),
    route(publicApi.listUsers, forward(users.listUsers)),
    route(publicApi.showUser, forward(users.showUser)),
    route(publicApi.updateUser, updateUser(deps)),
    route(publicApi.deleteUser, deleteUser(deps)),
    route(publicApi.confirmEmail, forward(users.confirmEmail)),
    route(publicApi.endUserSessions, endUserSessions(deps)),
    route(publicApi.inviteUser, inviteUser(deps)),

    route(publicApi.listMails, forward(mailer.listMails)),
    route(publicApi.showMail, forward(mailer.showMail)),
    route(publicApi.replayMail, forward(mailer.replayMail)),
    route(publicApi.listDeadLetters, listDeadLetters(letters)),
    route(publicApi.showDeadLetter, showDeadLetter(letters)),
    route(publicApi.replayDeadLetter, replayDeadLetter(letters)),

    ...(payments === undefined ? [] : paymentRoutes(payments)),
  ];
}

function paymentRoutes(payments: ClientOf<typeof paymentApi>): Route[] {
  return [
    route(publicApi.listProducts, forward(payments.listProducts)),
    route(publicApi.startCheckout, startCheckout({ payments })),
    route(publicApi.showCheckout, forward(payments.showCheckout)),
    route(publicApi.receiveWebhook, receiveWebhook({ payments })),
    route(publicApi.listWebhookEvents, forward(payments.listWebhookEvents)),
    route(publicApi.showWebhookEvent, forward(payments.showWebhookEvent)),
    route(publicApi.replayWebhookEvent, forward(payments.replayWebhookEvent)),
  ];
}
