import type { Role } from '@latchkey/contracts';
import { type CallContext, Problem } from '@latchkey/kit';
import { isDuplicateKey } from '@latchkey/persistence';
import type { Dependencies } from '../dependencies.js';
import { newClaim } from '../domain/claim.js';
import { emailKeyOf } from '../domain/fold.js';
import type { Names } from '../domain/names.js';
import { allocateUserId } from '../models/counter.js';
import type { UserRecord } from '../models/user-record.js';
import { eraseStaleCreation } from './erase-stale-creation.js';

const ATTEMPTS = 5;

export interface WantedUser extends Names {
  readonly email: string;
  readonly role: Role;
}

/**
 * Writes the user as pending under a claim that only its creator holds; the unique emailKey lets one creation of an email through.
 * Refuses with `email-taken` for an active user only, with `creation-in-progress` while another request holds the claim. A claim
 * that has run out is erased and the email claimed anew, under a new id.
 */
export async function claimEmail(deps: Dependencies, wanted: WantedUser, context: CallContext): Promise<UserRecord> {
  const { users, counters } = deps.models;
  const emailKey = emailKeyOf(wanted.email);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const holder = await users.findOne({ emailKey }).lean();
    if (holder?.state === 'active') throw new Problem('email-taken');
    if (holder !== null && !(await eraseStaleCreation(deps, holder._id, context.requestId))) break;
    const { id, databaseTime } = await allocateUserId(counters);
    const now = new Date(deps.clock.now());
    const pending = {
      _id: id,
      ...wanted,
      emailKey,
      rosterEpoch: 0,
      state: 'pending' as const,
      claim: newClaim(databaseTime),
      owedToAuth: [],
      createdAt: now,
      updatedAt: now,
    };
    try {
      return await deps.aggregates.insert(users, pending, [], context.requestId);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw new Problem('creation-in-progress', { retryAfter: 1 });
}
