import { type AggregateFields, type Aggregates, aggregateFields, isDuplicateKey } from '@latchkey/persistence';
import { type Connection, type Model, Schema } from 'mongoose';

/** Stands for the credentials of an address that nobody has: a reset for it costs the same write (S16). Bounded: one of 1024, chosen by the address. */
export interface Decoy extends AggregateFields<number> {
  askedAt: Date;
}

const schema = new Schema<Decoy>(
  { ...aggregateFields, _id: Number, askedAt: { type: Date, required: true } },
  { versionKey: false },
);
const places = 1024;

export function decoyModel(connection: Connection): Model<Decoy> {
  return connection.model<Decoy>('Decoy', schema, 'decoys');
}

/** The same steps as a reset of a known address that mails nothing. `accountKey`: hexadecimal. */
export async function touchDecoy(
  deps: { decoys: Model<Decoy>; aggregates: Aggregates },
  accountKey: string,
  now: number,
  correlationId: string,
): Promise<void> {
  const _id = Number.parseInt(accountKey.slice(0, 8), 16) % places;
  const askedAt = new Date(now);
  const touched = await deps.aggregates.change<Decoy>(
    deps.decoys,
    { _id },
    () => ({ $set: { askedAt } }),
    correlationId,
  );
  if (touched) return;
  try {
    await deps.aggregates.insert<Decoy>(deps.decoys, { _id, askedAt }, [], correlationId);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
