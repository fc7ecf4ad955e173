import { type userApi, userDeleted } from '@latchkey/contracts';
import { type CallContext, Problem } from '@latchkey/kit';
import { newEvent } from '@latchkey/persistence';
import type { Dependencies, UseCase } from '../dependencies.js';
import { actorOf, requireManagerOrSelf } from '../domain/rights.js';
import { toUser } from '../domain/to-user.js';
import type { UserRecord } from '../models/user-record.js';
import { keepOneAdmin } from './keep-one-admin.js';
import { requireSettledBilling } from './require-settled-billing.js';
import { settleAuthDebts } from './settle-auth-debts.js';

/**
 * Deletes softly. Under BILLING_ON_DELETE=refuse payment is asked first; then one write with the event, and auth disables the credentials
 * before the answer. If auth is away the deletion holds and the answer is `service-unavailable`; repeating the request completes it and
 * answers 200 once, after which it is 404 for good.
 */
export function deleteUser(deps: Dependencies): UseCase<typeof userApi.deleteUser> {
  return async ({ params }, context) => {
    requireManagerOrSelf(actorOf(context.principal, deps.access), params.id);
    const user = (await findHalfDeleted(deps, params.id)) ?? (await markDeleted(deps, params.id, context));
    await settleAuthDebts(deps, user, context);
    return { user: toUser(user) };
  };
}

async function findHalfDeleted(deps: Dependencies, userId: number): Promise<UserRecord | null> {
  return await deps.models.users
    .findOne({ _id: userId, state: 'deleted', owedToAuth: 'disable-credentials' })
    .lean<UserRecord>();
}

async function markDeleted(deps: Dependencies, userId: number, context: CallContext): Promise<UserRecord> {
  // Before an admin leaves the roster, so that the others are not held up for as long as the answer takes.
  await requireSettledBilling(deps, userId, context);
  return await keepOneAdmin(deps, userId, context.requestId, async (assertUnmoved) => {
    const deleted = await deps.aggregates.change(
      deps.models.users,
      { _id: userId, state: 'active' },
      (current) => {
        assertUnmoved(current);
        const now = new Date(deps.clock.now());
        const paymentCustomerId = current.paymentCustomerId ?? null;
        return {
          $set: { state: 'deleted', deletedAt: now, updatedAt: now, owedToAuth: ['disable-credentials'] },
          $unset: { emailKey: 1, emailChange: 1 },
          events: [newEvent(userDeleted, { userId, paymentCustomerId })],
        };
      },
      context.requestId,
    );
    if (deleted === null) throw new Problem('not-found');
    return deleted;
  });
}
