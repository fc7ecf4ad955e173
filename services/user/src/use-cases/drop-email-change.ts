import type { Message, PayloadOf, passwordChanged } from '@latchkey/contracts';
import type { Dependencies } from '../dependencies.js';

/** The clocks of auth and of this service may differ by this much, ms (S35). */
const leeway = 60_000;

/**
 * A password changed: a change of email that was asked for under the old one is taken back. Whoever had learnt that password could otherwise confirm
 * it afterwards, and get the account back by a reset. One that came with the new password in one request stays.
 */
export function dropEmailChange(deps: Pick<Dependencies, 'aggregates' | 'models'>) {
  return async ({ payload, correlationId }: Message<PayloadOf<typeof passwordChanged>>): Promise<void> => {
    const changedAt = Date.parse(payload.changedAt);
    await deps.aggregates.change(
      deps.models.users,
      { _id: payload.userId, state: 'active' },
      ({ emailChange }) => {
        if (emailChange === undefined || emailChange.requestId === correlationId) return null;
        return emailChange.requestedAt.getTime() > changedAt + leeway ? null : { $unset: { emailChange: 1 } };
      },
      correlationId,
    );
  };
}
