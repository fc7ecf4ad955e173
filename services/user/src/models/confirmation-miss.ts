import { retryUpsert } from '@latchkey/persistence';
import { type Connection, type Model, Schema } from 'mongoose';

/** Wrong confirmation tokens within one window of time, for one user or one address. */
export interface ConfirmationMiss {
  _id: string;
  count: number;
  windowEnd: Date;
}

const schema = new Schema<ConfirmationMiss>({ _id: String, count: Number, windowEnd: Date }, { versionKey: false });
schema.index({ windowEnd: 1 }, { expireAfterSeconds: 0 });

export function confirmationMissModel(connection: Connection): Model<ConfirmationMiss> {
  return connection.model<ConfirmationMiss>('ConfirmationMiss', schema, 'confirmation_misses');
}

/** Counts one miss atomically and answers how many there are now. */
export async function countMiss(misses: Model<ConfirmationMiss>, key: string, windowEnd: Date): Promise<number> {
  const update = { $inc: { count: 1 }, $setOnInsert: { windowEnd } };
  const options = { upsert: true, returnDocument: 'after' } as const;
  const filter = { _id: `${key}|${windowEnd.getTime()}` };
  const counted = await retryUpsert(() => misses.findOneAndUpdate(filter, update, options).lean().orFail());
  return counted.count;
}
