import { bindings } from '@latchkey/contracts';
import { type Subscription, subscribe } from '@latchkey/messaging';
import type { Dependencies } from './dependencies.js';
import { dropResetsOfChangedEmail } from './use-cases/drop-resets-of-changed-email.js';
import { endSessionsOfChangedRole } from './use-cases/end-sessions-of-changed-role.js';
import { eraseCredentials } from './use-cases/erase-credentials.js';
import { inviteCreatedUser } from './use-cases/invite-created-user.js';
import { restorePassword } from './use-cases/restore-password.js';

/** What auth does when others tell of something. */
export function authSubscriptions(deps: Dependencies): readonly Subscription[] {
  return [
    subscribe(bindings.inviteCreatedUser, inviteCreatedUser(deps)),
    subscribe(bindings.eraseCredentials, eraseCredentials(deps)),
    subscribe(bindings.endSessionsOfChangedRole, endSessionsOfChangedRole(deps)),
    subscribe(bindings.dropResetsOfChangedEmail, dropResetsOfChangedEmail(deps)),
    subscribe(bindings.restorePassword, restorePassword(deps)),
  ];
}
