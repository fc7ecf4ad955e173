import type { OutputOf, userApi } from '@latchkey/contracts';
import { type CallContext, Problem } from '@latchkey/kit';
import type { Dependencies, UseCase } from '../dependencies.js';
import { fullName } from '../domain/names.js';
import { type Actor, actorOf, mustGivePassword, requireManager, requireManagerOrSelf } from '../domain/rights.js';
import { toUser } from '../domain/to-user.js';
import { type WantedChanges, wordsOf } from '../domain/wanted-changes.js';
import type { UserRecord } from '../models/user-record.js';
import { enrolAdmin } from './enrol-admin.js';
import { findVisibleUser } from './find-visible-user.js';
import { keepOneAdmin } from './keep-one-admin.js';
import { refuseUpdate } from './refuse-update.js';
import { settleAuthDebts } from './settle-auth-debts.js';
import { writeUpdate } from './write-update.js';

type Endpoint = typeof userApi.updateUser;

/**
 * Changes the given fields only. Whatever can refuse is asked first, then the password changes at auth, then everything else in one
 * write with its events; last, what that write owes at auth (ended sessions, dropped resets) is done before the answer.
 */
export function updateUser(deps: Dependencies): UseCase<Endpoint> {
  return async ({ params, body }, context): Promise<OutputOf<Endpoint>> => {
    const actor = actorOf(context.principal, deps.access);
    requireManagerOrSelf(actor, params.id);
    if (body.role !== undefined) requireManager(actor);
    const user = await findVisibleUser(deps, params.id, false);
    if (user === null) throw new Problem('not-found');

    const provesItself = mustGivePassword(actor, params.id);
    await refuseUpdate(deps, user, body, provesItself, context);
    const passwordChange = once(() => changePassword(deps, user, body, actor, context));
    const write = async (assertUnmoved: (current: UserRecord) => void) => {
      await passwordChange();
      return await writeUpdate(deps, params.id, body, { emailAtOnce: !provesItself }, context, assertUnmoved);
    };
    const changed =
      body.role === 'member'
        ? await keepOneAdmin(deps, params.id, context.requestId, write)
        : await write(() => undefined);
    if (body.role === 'admin') await enrolAdmin(deps, params.id, context.requestId);
    await settleAuthDebts(deps, changed, context);
    return { user: toUser(changed) };
  };
}

/** The write may begin again when the user was changed meanwhile; its password is not set twice. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done = false;
  return async () => {
    if (done) return;
    await work();
    done = true;
  };
}

async function changePassword(
  deps: Dependencies,
  user: UserRecord,
  body: WantedChanges,
  actor: Actor,
  context: CallContext,
): Promise<void> {
  const { password, current_password } = body;
  if (password === undefined) return;
  const own = mustGivePassword(actor, user._id);
  await deps.auth.setPassword(
    {
      params: { user_id: String(user._id) },
      body: {
        mode: 'change',
        password,
        // Left out when a manager acts on another: auth then ends every session.
        ...(own && { current_password }),
        context: wordsOf(user, body),
        email: user.email,
        name: fullName(user),
      },
    },
    asManager(context, actor),
  );
}

/** With `any-session` every cookie manages everybody; to auth that is what an admin may do. */
function asManager(context: CallContext, actor: Actor): CallContext {
  const { principal } = context;
  return principal !== null && actor.managesEveryone
    ? { ...context, principal: { ...principal, role: 'admin' } }
    : context;
}
