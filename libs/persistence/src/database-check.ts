import type { HealthCheck } from '@latchkey/contracts';
import { type Check, withinTime } from '@latchkey/kit';
import type { Connection } from 'mongoose';
import { leaseModel } from './lease.js';
import { retryUpsert } from './retry-upsert.js';

const LIMIT_MS = 2_000;

/**
 * Reads one document by its id; without an answer within 2 s the service is down. While reads are answered and writes are refused (F22) it is degraded: what
 * only reads goes on. The detail names the kind of error only: messages name hosts.
 */
export function databaseCheck(connection: Connection): Check {
  const refusal = createWriteProbe(connection);
  return {
    name: 'database',
    critical: true,
    async run(): Promise<HealthCheck> {
      const read = async () => leaseModel(connection).findOne({ _id: 'health' }).lean();
      try {
        await withinTime(LIMIT_MS, read, () => new Error(`no answer within ${LIMIT_MS} ms`));
      } catch (error) {
        const { name, message } = error as Error;
        return { status: 'down', detail: name === 'Error' ? message : name };
      }
      const refused = refusal();
      return refused === undefined ? { status: 'ok' } : { status: 'degraded', detail: `takes no writes: ${refused}` };
    },
  };
}

const WRITE_EVERY_MS = 10_000;
const WRITE_AGAIN_MS = 1_000;

/** Gives the name of the error by which the last write of one small document was refused. Writes beside the check, seldom: a slow write is no reason to be down. */
function createWriteProbe(connection: Connection): () => string | undefined {
  let refusal: string | undefined;
  let writing = false;
  let nextAt = 0;

  async function write(): Promise<void> {
    writing = true;
    try {
      const touched = { $currentDate: { leasedAt: true as const } };
      await retryUpsert(() => leaseModel(connection).updateOne({ _id: 'health' }, touched, { upsert: true }));
      refusal = undefined;
    } catch (error) {
      refusal = (error as Error).name;
    }
    nextAt = performance.now() + (refusal === undefined ? WRITE_EVERY_MS : WRITE_AGAIN_MS);
    writing = false;
  }

  return () => {
    if (!writing && performance.now() >= nextAt) void write();
    return refusal;
  };
}
