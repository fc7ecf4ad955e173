import type { Clock } from '@latchkey/kit';
import { type Aggregates, isDuplicateKey, type NewEvent } from '@latchkey/persistence';
import type { Model } from 'mongoose';
import type { CredentialChanges } from '../domain/credential-changes.js';
import { type Credentials, dueAt, emptyCredentials } from '../domain/credentials.js';
import { type PriorSeal, settled } from '../domain/prior-password.js';
import type { CredentialsDocument } from './credentials.js';

/** What happens to credentials and what is told of it, as one write. */
export interface CredentialDecision {
  readonly set: CredentialChanges;
  readonly events?: readonly NewEvent[];
}
/** null: nothing to change. May throw a `Problem` to refuse. Runs again when somebody else was faster. */
export type DecideCredentials = (current: Credentials) => CredentialDecision | null;

/** Credentials by user id. What it returns and what decisions see is settled: a temporary value that ran out is the prior password again. */
export interface CredentialsStore {
  find(userId: number): Promise<Credentials | null>;
  /** null: the user has no credentials document. */
  change(userId: number, decide: DecideCredentials, correlationId: string): Promise<Credentials | null>;
  /** The first credentials of a user; false when there are some already, disabled ones too. */
  create(userId: number, fields: CredentialChanges, correlationId: string): Promise<boolean>;
  /** Decides on empty credentials when there are none. Never revives disabled ones: that is up to the decision. */
  changeOrCreate(userId: number, decide: DecideCredentials, correlationId: string): Promise<Credentials>;
  /** Ids that the sweep must look at. */
  findDue(now: number, limit: number): Promise<number[]>;
}

export function createCredentialsStore(deps: {
  model: Model<CredentialsDocument>;
  aggregates: Aggregates;
  seal: PriorSeal;
  clock: Clock;
}): CredentialsStore {
  const { model, aggregates, seal, clock } = deps;

  async function change(userId: number, decide: DecideCredentials, correlationId: string) {
    const changed = await aggregates.change<CredentialsDocument>(
      model,
      { _id: userId },
      (document) => {
        const now = clock.now();
        const overdue = settled(document, now, seal);
        const current: Credentials = { ...document, ...overdue };
        const decision = decide(current);
        if (!decision && Object.keys(overdue).length === 0) return null;
        const set = { ...overdue, ...decision?.set };
        return { $set: { ...set, dueAt: dueAt({ ...current, ...set }) }, events: decision?.events ?? [] };
      },
      correlationId,
    );
    return changed && { ...changed, ...settled(changed, clock.now(), seal) };
  }

  async function insert(userId: number, decision: CredentialDecision | null, correlationId: string) {
    const first = { ...emptyCredentials, ...decision?.set };
    const document = { ...first, _id: userId, dueAt: dueAt(first) };
    try {
      return await aggregates.insert<CredentialsDocument>(model, document, decision?.events ?? [], correlationId);
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  return {
    async find(userId) {
      const found = await model.findOne({ _id: userId }).lean<CredentialsDocument>();
      return found && { ...found, ...settled(found, clock.now(), seal) };
    },
    change,
    async changeOrCreate(userId, decide, correlationId) {
      for (;;) {
        const changed = await change(userId, decide, correlationId);
        if (changed) return changed;
        const created = await insert(userId, decide(emptyCredentials), correlationId);
        if (created) return created;
      }
    },
    create: async (userId, set, correlationId) => (await insert(userId, { set }, correlationId)) !== null,
    async findDue(now, limit) {
      const due = await model
        .find({ dueAt: { $lte: new Date(now) } }, { _id: 1 })
        .sort({ dueAt: 1 })
        .limit(limit)
        .lean<{ _id: number }[]>();
      return due.map(({ _id }) => _id);
    },
  };
}
