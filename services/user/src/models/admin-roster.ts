import { isDuplicateKey } from '@latchkey/persistence';
import { type Connection, type Model, Schema } from 'mongoose';

const ROSTER = 'admins';

/**
 * The ids of active admins, in one document, so that "another one remains" is a condition of one write. It may lack an
 * admin for a while, but never names anybody who is none: an admin leaves it before the user record is written.
 * `removals` rises with every leave, so that an enrolment that began before it can be refused.
 */
export interface AdminRoster {
  _id: string;
  ids: number[];
  removals: number;
}

const schema = new Schema<AdminRoster>({ _id: String, ids: [Number], removals: Number }, { versionKey: false });

export function adminRosterModel(connection: Connection): Model<AdminRoster> {
  return connection.model<AdminRoster>('AdminRoster', schema, 'admin_roster');
}

export async function readRoster(rosters: Model<AdminRoster>): Promise<AdminRoster> {
  const found = await rosters.findById(ROSTER).lean();
  if (found !== null) return found;
  try {
    await rosters.create({ _id: ROSTER, ids: [], removals: 0 });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  return await rosters.findById(ROSTER).lean().orFail();
}

/** Adds an id unless anybody left since `removals` was read. */
export async function addToRoster(rosters: Model<AdminRoster>, id: number, removals: number): Promise<boolean> {
  const written = await rosters.updateOne({ _id: ROSTER, removals }, { $addToSet: { ids: id } });
  return written.matchedCount === 1;
}

/** Takes an id out, on condition that another remains. An id that is not in it may leave as long as anybody is. */
export async function removeFromRoster(rosters: Model<AdminRoster>, id: number): Promise<boolean> {
  const leave = { $pull: { ids: id }, $inc: { removals: 1 } };
  const left = await rosters.updateOne({ _id: ROSTER, ids: id, 'ids.1': { $exists: true } }, leave);
  if (left.matchedCount === 1) return true;
  const absent = await rosters.updateOne({ _id: ROSTER, ids: { $ne: id }, 'ids.0': { $exists: true } }, leave);
  return absent.matchedCount === 1;
}
