import type { authApi } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { hasPassword } from '../domain/credentials.js';
import { mailLink, requireActiveUser } from './mail-link.js';

/** Mails an invitation to a user who has not set a password yet, at most one a minute. */
export function inviteUser(deps: Dependencies): Handler<typeof authApi.inviteUser> {
  return async ({ params: { user_id: userId } }, context) => {
    const user = await requireActiveUser(deps, userId, context);
    const requireInvited = (credentials: Parameters<typeof hasPassword>[0]) => {
      if (hasPassword(credentials)) {
        throw new Problem('not-replayable', { detail: 'This user has set a password already' });
      }
    };
    const credentials = await deps.credentials.find(userId);
    if (credentials) requireInvited(credentials);
    await deps.windows.take(deps.limits.invitationsOfUser, String(userId));
    await mailLink(deps, user, 'invitation', requireInvited, context);
    return { message: 'The invitation is on its way.' };
  };
}
