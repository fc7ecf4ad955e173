import { userCreated } from '@latchkey/contracts';
import { type CallContext, Problem, systemContext } from '@latchkey/kit';
import { newEvent } from '@latchkey/persistence';
import type { Dependencies } from '../dependencies.js';
import { claimInForce } from '../domain/claim.js';
import { fullName } from '../domain/names.js';
import { searchKeys } from '../domain/search-keys.js';
import type { UserRecord } from '../models/user-record.js';
import { abandonCreation } from './abandon-creation.js';
import { claimEmail, type WantedUser } from './claim-email.js';
import { enrolAdmin } from './enrol-admin.js';
import { eraseStaleCreation } from './erase-stale-creation.js';

/** Gives auth the first password of a user whose record is pending; may be asked twice. */
export type FirstPassword = (pending: UserRecord) => Promise<unknown>;

/**
 * Creates a user at both services, or at neither: the record is written as pending under a claim, the password is set at auth, and the
 * record becomes active in one write with its event. A crash in between leaves a pending record that nobody sees and that the sweep
 * erases. Without a password (null) auth invites the user.
 */
export async function registerUser(
  deps: Dependencies,
  wanted: WantedUser,
  password: FirstPassword | null,
  context: CallContext,
): Promise<UserRecord> {
  const pending = await claimEmail(deps, wanted, context);
  await deps.crashPoint('create.after-claim');
  if (password !== null) await provide(deps, pending, password, context);
  await deps.crashPoint('create.after-password');
  const user = await activate(deps, pending, password !== null, context);
  await deps.crashPoint('create.after-activate');
  // Held back by nothing: an admin missing from the roster is only counted late, and the sweep adds it.
  if (user.role === 'admin') await enrolAdmin(deps, user._id, context.requestId);
  await deps.crashPoint('create.after-enrol');
  return user;
}

async function provide(deps: Dependencies, pending: UserRecord, password: FirstPassword, context: CallContext) {
  try {
    await password(pending);
  } catch (error) {
    await abandonCreation(deps, pending, error, context.requestId);
    // Auth has seen this id disabled: our claim ran out and was taken over.
    throw error instanceof Problem && error.code === 'not-found' ? overtaken(error) : error;
  }
}

/**
 * Active and announced in one write, on condition that the claim is still ours and has not run out: past it auth may have erased the
 * password already. Otherwise what is left of the creation is erased at both services.
 */
async function activate(
  deps: Dependencies,
  pending: UserRecord,
  hasPassword: boolean,
  context: CallContext,
): Promise<UserRecord> {
  const { _id: userId, email } = pending;
  const { languages } = context.client;
  const created = newEvent(userCreated, { userId, email, name: fullName(pending), hasPassword, languages });
  const ours = { _id: userId, state: 'pending' as const, 'claim.id': pending.claim?.id };
  const user = await deps.aggregates.change(
    deps.models.users,
    { ...ours, ...claimInForce },
    () => ({
      $set: { state: 'active', ...searchKeys(email, pending), updatedAt: new Date(deps.clock.now()) },
      $unset: { claim: 1 },
      events: [created],
    }),
    context.requestId,
  );
  if (user !== null) return user;
  const own = systemContext({ clock: deps.clock, requestId: context.requestId });
  if (await deps.models.users.exists(ours)) await eraseStaleCreation(deps, userId, context.requestId);
  else await deps.auth.disableCredentials({ params: { user_id: String(userId) } }, own);
  throw overtaken();
}

function overtaken(cause?: unknown): Problem {
  return new Problem('creation-in-progress', { retryAfter: 1, detail: 'The creation was taken over', cause });
}
