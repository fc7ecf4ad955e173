import { retryUpsert } from '@latchkey/persistence';
import { type Connection, type Model, Schema } from 'mongoose';

/** A number that only rises, and the database's time at the last write. */
export interface Counter {
  _id: string;
  value: number;
  at: Date;
}

const schema = new Schema<Counter>({ _id: String, value: Number, at: Date }, { versionKey: false });

export function counterModel(connection: Connection): Model<Counter> {
  return connection.model<Counter>('Counter', schema, 'counters');
}

/** A fresh user id. Ids rise and are never used twice; one whose creation is abandoned leaves a gap. */
export async function allocateUserId(counters: Model<Counter>): Promise<{ id: number; databaseTime: Date }> {
  const counter = await count(counters, 'users', 1);
  return { id: counter.value, databaseTime: counter.at };
}

/** The database's clock, by which replicas with clocks of their own agree on leases. */
export async function readDatabaseTime(counters: Model<Counter>): Promise<Date> {
  return (await count(counters, 'clock', 0)).at;
}

async function count(counters: Model<Counter>, name: string, by: number): Promise<Counter> {
  const update = { $inc: { value: by }, $currentDate: { at: true as const } };
  const options = { upsert: true, returnDocument: 'after' } as const;
  return await retryUpsert(() => counters.findOneAndUpdate({ _id: name }, update, options).lean<Counter>().orFail());
}
