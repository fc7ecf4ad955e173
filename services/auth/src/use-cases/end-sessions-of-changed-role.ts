import type { Message, PayloadOf, userRoleChanged } from '@latchkey/contracts';
import { systemContext } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';

/**
 * A role changed: the user service ended the sessions before it answered; should that call have been lost, the sessions that still carry another role end here.
 * Those begun since, with the role of now, stay: the event may be late, so the role is asked for.
 */
export function endSessionsOfChangedRole(deps: Dependencies) {
  return async (message: Message<PayloadOf<typeof userRoleChanged>>): Promise<void> => {
    const { userId } = message.payload;
    const context = systemContext({ clock: deps.clock, requestId: message.correlationId });
    const { user } = await deps.users.findUserById({ params: { user_id: String(userId) } }, context);
    if (user) await deps.models.sessions.deleteMany({ userId, role: { $ne: user.role } });
  };
}
