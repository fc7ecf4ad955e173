import { emailChanged, userRoleChanged } from '@latchkey/contracts';
import { type CallContext, Problem } from '@latchkey/kit';
import { type Change, isDuplicateKey, type NewEvent, newEvent } from '@latchkey/persistence';
import type { Dependencies } from '../dependencies.js';
import { askedWithinAnHour, requireEmailChangeAllowed } from '../domain/email-change-limit.js';
import { emailKeyOf } from '../domain/fold.js';
import { fullName, type Names } from '../domain/names.js';
import { searchKeys } from '../domain/search-keys.js';
import type { WantedChanges } from '../domain/wanted-changes.js';
import type { AuthDebt, UserRecord } from '../models/user-record.js';
import { requestEmailChange } from './request-email-change.js';

interface Rules {
  /** False: the new address must be confirmed first. */
  readonly emailAtOnce: boolean;
}

/** The one write of an update, with its events and what it owes at auth. A newly taken email is `email-taken`. */
export async function writeUpdate(
  deps: Dependencies,
  userId: number,
  wanted: WantedChanges,
  rules: Rules,
  context: CallContext,
  assertUnmoved: (current: UserRecord) => void,
): Promise<UserRecord> {
  const decide = (current: UserRecord) => {
    assertUnmoved(current);
    return decideUpdate(deps, current, wanted, rules, context);
  };
  const filter = { _id: userId, state: 'active' };
  try {
    const changed = await deps.aggregates.change(deps.models.users, filter, decide, context.requestId);
    if (changed === null) throw new Problem('not-found');
    return changed;
  } catch (error) {
    throw isDuplicateKey(error) ? new Problem('email-taken', { cause: error }) : error;
  }
}

function decideUpdate(
  deps: Dependencies,
  current: UserRecord,
  wanted: WantedChanges,
  rules: Rules,
  context: CallContext,
): Change | null {
  const names = {
    first_name: wanted.first_name ?? current.first_name,
    last_name: wanted.last_name ?? current.last_name,
  };
  const email = decideEmail(deps, current, wanted.email, names, rules, context);
  const role = decideRole(current, wanted.role);
  const set = {
    ...(nameChanged(current, names) && { ...names, ...searchKeys(current.email, names) }),
    ...email.$set,
    ...role.$set,
  };
  const unchanged = Object.keys(set).length === 0 && email.$unset === undefined && wanted.password === undefined;
  if (unchanged) return null;
  const owedToAuth = [...new Set([...current.owedToAuth, ...email.debts, ...role.debts])];
  return {
    $set: { ...set, owedToAuth, updatedAt: new Date(deps.clock.now()) },
    ...(email.$unset && { $unset: email.$unset }),
    events: [...role.events, ...email.events],
  };
}

interface Part {
  readonly $set?: Record<string, unknown>;
  readonly $unset?: Record<string, 1>;
  readonly events: readonly NewEvent[];
  readonly debts: readonly AuthDebt[];
}
const nothing: Part = { events: [], debts: [] };

function nameChanged(current: Names, names: Names): boolean {
  return current.first_name !== names.first_name || current.last_name !== names.last_name;
}

/** The sessions that began with the old role end before the answer; the event sees to it once more. */
function decideRole(current: UserRecord, role: WantedChanges['role']): Part {
  if (role === undefined || role === current.role) return nothing;
  return {
    $set: { role },
    events: [newEvent(userRoleChanged, { userId: current._id, role })],
    debts: ['end-sessions'],
  };
}

function decideEmail(
  deps: Dependencies,
  current: UserRecord,
  wanted: string | undefined,
  names: Names,
  rules: Rules,
  context: CallContext,
): Part {
  if (wanted === undefined) return nothing;
  const $unset = current.emailChange === undefined ? undefined : ({ emailChange: 1 } as const);
  // The address it has already: a change that waits for its confirmation is taken back.
  if (wanted === current.email) return { ...nothing, ...($unset && { $unset }) };
  if (rules.emailAtOnce) return { ...replaceEmail(current, wanted, names, context), ...($unset && { $unset }) };
  const now = deps.clock.now();
  // Once more: of many requests at once none may slip past.
  requireEmailChangeAllowed(current.emailChangesAskedAt, deps.rateLimitScale, now);
  const emailChangesAskedAt = [...askedWithinAnHour(current.emailChangesAskedAt, now), new Date(now)];
  const { emailChange, event } = requestEmailChange(deps, current._id, wanted, names, context);
  return { $set: { emailChange, emailChangesAskedAt }, events: [event], debts: [] };
}

/** The fields, the event and the debt of a changed email: the old address is told, and resets mailed there must not work any more. */
export function replaceEmail(current: UserRecord, newEmail: string, names: Names, context: CallContext): Part {
  const payload = {
    userId: current._id,
    oldEmail: current.email,
    newEmail,
    name: fullName(names),
    paymentCustomerId: current.paymentCustomerId ?? null,
    languages: context.client.languages,
  };
  return {
    $set: { email: newEmail, emailKey: emailKeyOf(newEmail), ...searchKeys(newEmail, names) },
    events: [newEvent(emailChanged, payload)],
    debts: ['drop-resets'],
  };
}
