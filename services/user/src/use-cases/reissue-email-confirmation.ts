import type { userApi } from '@latchkey/contracts';
import { Problem } from '@latchkey/kit';
import type { Dependencies, UseCase } from '../dependencies.js';
import { requestEmailChange } from './request-email-change.js';

/** Mails a fresh link for a change of email that still waits; the earlier link stops working. Only a token's hash is kept, so it cannot be mailed again. */
export function reissueEmailConfirmation(deps: Dependencies): UseCase<typeof userApi.reissueEmailConfirmation> {
  return async ({ params }, context) => {
    const user = await deps.aggregates.change(
      deps.models.users,
      { _id: params.user_id, state: 'active' },
      (current) => {
        const waiting = current.emailChange;
        if (waiting === undefined || waiting.expiresAt.getTime() <= deps.clock.now()) {
          throw new Problem('not-replayable', { detail: 'No change of email waits for its confirmation' });
        }
        const { emailChange, event } = requestEmailChange(deps, current._id, waiting.newEmail, current, context);
        return { $set: { emailChange }, events: [event] };
      },
      context.requestId,
    );
    if (user === null) throw new Problem('not-found');
    return { message: 'A new confirmation link is on its way' };
  };
}
