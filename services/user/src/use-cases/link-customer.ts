import type { customerLinked, Message, PayloadOf } from '@latchkey/contracts';
import { FinalError } from '@latchkey/messaging';
import type { Change } from '@latchkey/persistence';
import type { Dependencies } from '../dependencies.js';
import type { CustomerLink, UserRecord } from '../models/user-record.js';

/**
 * Writes which customer at the payment provider stands for a user, or that none does any more. The link and the event that told of it are one
 * write: a duplicate, and an event that is older than one that was here before, changes nothing (F31). A deleted user takes its link too, since
 * invoices name it, until its personal data is wiped. `FinalError` when there is no such user: payment then knows one that was lost here.
 */
export function linkCustomer(deps: Pick<Dependencies, 'aggregates' | 'clock' | 'models'>) {
  return async (message: Message<PayloadOf<typeof customerLinked>>): Promise<void> => {
    const { userId } = message.payload;
    const user = await deps.aggregates.change(
      deps.models.users,
      { _id: userId, state: { $in: ['active', 'deleted'] } },
      (current: UserRecord) => decideLink(current, message, new Date(deps.clock.now())),
      message.correlationId,
    );
    if (user === null) throw new FinalError(`There is no user ${userId} to link a customer to`);
  };
}

function decideLink(
  current: UserRecord,
  { aggregateId, sequence, payload }: Message<PayloadOf<typeof customerLinked>>,
  now: Date,
): Change | null {
  if (current.erasedAt !== undefined || isNoNewer(sequence, aggregateId, current.customerLink)) return null;
  const customerLink: CustomerLink = { aggregateId, sequence };
  const { paymentCustomerId } = payload;
  if (paymentCustomerId === (current.paymentCustomerId ?? null)) return { $set: { customerLink } };
  if (paymentCustomerId === null) return { $set: { customerLink, updatedAt: now }, $unset: { paymentCustomerId: 1 } };
  return { $set: { customerLink, updatedAt: now, paymentCustomerId } };
}

/** Sequences compare only within one aggregate. */
function isNoNewer(sequence: number, aggregateId: string, last: CustomerLink | undefined): boolean {
  return last !== undefined && last.aggregateId === aggregateId && sequence <= last.sequence;
}
