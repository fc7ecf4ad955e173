import type { HealthCheck } from '@latchkey/contracts';
import { type Check, withinTime } from '@latchkey/kit';
import type { Connection } from 'mongoose';
import { leaseModel } from './lease.js';

const LIMIT_MS = 2_000;

/** Reads one document by its id; without an answer within 2 s the service is down. The detail names the kind of error only: messages name hosts. */
export function databaseCheck(connection: Connection): Check {
  return {
    name: 'database',
    critical: true,
    async run(): Promise<HealthCheck> {
      const read = async () => leaseModel(connection).findOne({ _id: 'health' }).lean();
      try {
        await withinTime(LIMIT_MS, read, () => new Error(`no answer within ${LIMIT_MS} ms`));
        return { status: 'ok' };
      } catch (error) {
        const { name, message } = error as Error;
        return { status: 'down', detail: name === 'Error' ? message : name };
      }
    },
  };
}
