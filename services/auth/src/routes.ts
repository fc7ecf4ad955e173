import { authApi } from '@latchkey/contracts';
import { type Route, route } from '@latchkey/kit';
import type { Dependencies } from './dependencies.js';
import { changePassword } from './use-cases/change-password.js';
import { checkPassword } from './use-cases/check-password.js';
import { checkResetToken } from './use-cases/check-reset-token.js';
import { disableCredentials } from './use-cases/disable-credentials.js';
import { disownReset } from './use-cases/disown-reset.js';
import { dropResets } from './use-cases/drop-resets.js';
import { endAllSessions } from './use-cases/end-all-sessions.js';
import { endSession } from './use-cases/end-session.js';
import { importPassword } from './use-cases/import-password.js';
import { introspectSession } from './use-cases/introspect-session.js';
import { inviteUser } from './use-cases/invite-user.js';
import { listSessions } from './use-cases/list-sessions.js';
import { logIn } from './use-cases/log-in.js';
import { reissueLink } from './use-cases/reissue-link.js';
import { requestPasswordReset } from './use-cases/request-password-reset.js';
import { setPassword } from './use-cases/set-password.js';
import { showKeys } from './use-cases/show-keys.js';
import { verifyPassword } from './use-cases/verify-password.js';

/** What auth offers. */
export function authRoutes(deps: Dependencies): readonly Route[] {
  return [
    route(authApi.logIn, logIn(deps)),
    route(authApi.requestPasswordReset, requestPasswordReset(deps)),
    route(authApi.checkResetToken, checkResetToken(deps)),
    route(authApi.changePassword, changePassword(deps)),
    route(authApi.disownReset, disownReset(deps)),

    route(authApi.introspectSession, introspectSession(deps)),
    route(authApi.endSession, endSession(deps)),
    route(authApi.listSessions, listSessions(deps)),
    route(authApi.endAllSessions, endAllSessions(deps)),

    route(authApi.setPassword, setPassword(deps)),
    route(authApi.importPassword, importPassword(deps)),
    route(authApi.verifyPassword, verifyPassword(deps)),
    route(authApi.checkPassword, checkPassword(deps)),
    route(authApi.dropResets, dropResets(deps)),
    route(authApi.disableCredentials, disableCredentials(deps)),
    route(authApi.inviteUser, inviteUser(deps)),
    route(authApi.reissueLink, reissueLink(deps)),
    route(authApi.showKeys, showKeys(deps)),
  ];
}
