import { type Throttle, throttleModel } from '@latchkey/persistence';
import type { Connection, Model } from 'mongoose';
import { type AdminRoster, adminRosterModel } from './admin-roster.js';
import { type Counter, counterModel } from './counter.js';
import { type UserRecord, userModel } from './user-record.js';

/** Every collection of the user service. */
export interface UserModels {
  readonly users: Model<UserRecord>;
  readonly counters: Model<Counter>;
  readonly rosters: Model<AdminRoster>;
  readonly throttles: Model<Throttle>;
}

export function userModels(connection: Connection): UserModels {
  return {
    users: userModel(connection),
    counters: counterModel(connection),
    rosters: adminRosterModel(connection),
    throttles: throttleModel(connection),
  };
}

/** Builds the indexes; before that uniqueness does not hold (P16), so nothing is served earlier. */
export async function initModels(models: UserModels): Promise<void> {
  for (const model of Object.values(models) as Model<unknown>[]) await model.init();
}
