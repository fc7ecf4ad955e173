import { throttleModel } from '@latchkey/persistence';
import type { Connection } from 'mongoose';
import { credentialsModel } from './credentials.js';
import { decoyModel } from './decoy.js';
import { knownAddressModel } from './known-address.js';
import { sessionModel } from './sessions.js';

/** Everything that auth stores, apart from its dead letters. */
export function createModels(connection: Connection) {
  return {
    credentials: credentialsModel(connection),
    sessions: sessionModel(connection),
    throttles: throttleModel(connection),
    knownAddresses: knownAddressModel(connection),
    decoys: decoyModel(connection),
  };
}
export type AuthModels = ReturnType<typeof createModels>;

/** Waits until every collection has its indexes. */
export async function initModels(models: AuthModels): Promise<void> {
  await Promise.all(Object.values(models).map((model) => model.init()));
}
