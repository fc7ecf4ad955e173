import type { authApi } from '@latchkey/contracts';
import type { Handler } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';

/** Ends one session of a user (S38). */
export function endSession(deps: Dependencies): Handler<typeof authApi.endSession> {
  return async ({ body }) => {
    const { deletedCount } = await deps.models.sessions.deleteOne({ _id: body.session_id, userId: body.user_id });
    return { ended: deletedCount === 1 };
  };
}
