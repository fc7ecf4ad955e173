import type { Clock } from '@latchkey/kit';
import type { Model } from 'mongoose';
import type { AggregateFields, AggregateModel, Aggregates, Change, Decide, NewEvent } from '../aggregate.js';
import { dropUndefined } from '../drop-undefined.js';
import { guardDatabase } from '../guard-database.js';
import { Contention } from './contention.js';
import { refuseOverflow, toEntries } from './entries.js';
import { InsertQueues } from './insert-queues.js';
import { Turns } from './turns.js';
import { toUpdate } from './update.js';

/** Told after each write that left events to publish. */
export type Wake = (model: OutboxModel, id: unknown) => void;

/** The part of an aggregate's document that the outbox works on. */
export type OutboxModel = Model<AggregateFields>;

/** Mongoose's `Model<D>` is invariant in D, so that a function over "any aggregate" has to see it as its common fields. */
export function asOutboxModel<D extends AggregateFields>(model: AggregateModel<D>): OutboxModel {
  return model as unknown as OutboxModel;
}

/** A field that the schema does not know would be dropped in silence and reported as saved. */
function strictness(model: OutboxModel): 'throw' | false {
  return model.schema.get('strict') === false ? false : 'throw';
}

function refuseUnknownFields(model: OutboxModel, document: object): void {
  if (strictness(model) === false) return;
  const unknown = Object.keys(document).find((field) => model.schema.pathType(field) === 'adhocOrUndefined');
  if (unknown !== undefined) throw new Error(`${model.modelName} has no field "${unknown}"`);
}

export function createAggregates(o: { clock: Clock; wake: Wake; random?: () => number }): Aggregates {
  const random = o.random ?? Math.random;
  const turns = new Turns();
  const inserts = new InsertQueues();
  const origin = (sequence: number, correlationId: string) => ({
    sequence,
    occurredAt: new Date(o.clock.now()),
    correlationId,
  });

  async function change<D extends AggregateFields>(
    aggregate: AggregateModel<D>,
    filter: Record<string, unknown>,
    decide: Decide<D>,
    correlationId: string,
  ): Promise<D | null> {
    const model = asOutboxModel(aggregate);
    const contention = new Contention(turns, `${model.collection.name} ${JSON.stringify(filter)}`, random);
    try {
      for (;;) {
        const current = (await guardDatabase(() => model.findOne(filter).lean())) as D | null;
        if (current === null) return null;
        const wanted = await decide(current);
        if (wanted === null) return current;
        const changed = await write(model, current, wanted, correlationId);
        if (changed !== null) return changed;
        await contention.lost();
      }
    } finally {
      contention.end();
    }
  }

  async function changeFrom<D extends AggregateFields>(
    aggregate: AggregateModel<D>,
    read: D,
    decide: Decide<D>,
    correlationId: string,
  ): Promise<D | null> {
    const wanted = await (async () => decide(read))().catch(() => null);
    const changed = wanted && (await write(asOutboxModel(aggregate), read, wanted, correlationId));
    return changed ?? change(aggregate, { _id: read._id }, decide, correlationId);
  }

  /** Null: the document is another than `current` by now. */
  async function write<D extends AggregateFields>(
    model: OutboxModel,
    current: D,
    wanted: Change,
    correlationId: string,
  ): Promise<D | null> {
    const entries = toEntries(wanted.events ?? [], origin(current.version + 1, correlationId));
    refuseOverflow(current.outbox, entries.length);
    // The version alone decides who was first (O5, P17); whoever lost reads and decides again.
    const changed = await guardDatabase(() =>
      model.findOneAndUpdate({ _id: current._id, version: current.version }, toUpdate(wanted, entries), {
        returnDocument: 'after',
        lean: true,
        strict: strictness(model),
      }),
    );
    if (changed !== null && entries.length > 0) o.wake(model, current._id);
    return changed as D | null;
  }

  async function insert<D extends AggregateFields>(
    aggregate: AggregateModel<D>,
    document: Omit<D, 'version' | 'outbox' | 'outboxPending' | 'outboxOwner' | 'outboxLeasedAt'>,
    events: readonly NewEvent[],
    correlationId: string,
  ): Promise<D> {
    const model = asOutboxModel(aggregate);
    refuseUnknownFields(model, document);
    const outbox = toEntries(events, origin(0, correlationId));
    const pending = outbox.length > 0 ? { outboxPending: true } : {};
    const checked = new model({ ...dropUndefined(document), version: 0, ...pending });
    await checked.validate();
    // The entries are as they are to be stored, and making subdocuments of them costs as much as the rest of the document.
    const stored = { ...checked.toObject(), outbox };
    await guardDatabase(() => inserts.insert(model.collection, stored));
    if (outbox.length > 0) o.wake(model, stored._id);
    return stored as unknown as D;
  }

  return { change, changeFrom, insert };
}
