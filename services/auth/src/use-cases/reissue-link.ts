import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import { mailLink, requireActiveUser } from './mail-link.js';

/** Mails a fresh reset link that an admin asked for; the password stays as it is. */
export function reissueLink(deps: Dependencies): Handler<typeof authApi.reissueLink> {
  return async ({ params }, context) => {
    const user = await requireActiveUser(deps, params.user_id, context);
    await mailLink(deps, user, 'admin', () => {}, context);
    return { message: 'The reset link is on its way.' };
  };
}
