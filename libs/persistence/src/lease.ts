import { randomUUID } from 'node:crypto';
import mongoose, { type Connection, type Model } from 'mongoose';
import { leaseIsFree } from './database-lease.js';
import { isDuplicateKey } from './duplicate-key.js';

interface LeaseDocument {
  _id: string;
  owner?: string | null;
  leasedAt?: Date | null;
}

const schema = new mongoose.Schema<LeaseDocument>(
  { _id: String, owner: String, leasedAt: Date },
  { versionKey: false, collection: 'leases' },
);

export function leaseModel(connection: Connection): Model<LeaseDocument> {
  return (
    (connection.models.Lease as Model<LeaseDocument> | undefined) ?? connection.model<LeaseDocument>('Lease', schema)
  );
}

export interface Lease {
  /**
   * Runs `work` when no other replica does, and resolves to whether it ran. `signal` aborts when the lease was lost: stop then, another may have begun.
   * Rejects as `work` does.
   */
  runExclusively(work: (signal: AbortSignal) => Promise<void>): Promise<boolean>;
}

/** One replica at a time, by the database's clock (F23). The lease lasts `ttl` seconds (5) and is renewed while the work runs. */
export function createLease(o: { connection: Connection; name: string; ttl?: number }): Lease {
  const model = leaseModel(o.connection);
  const ttlMs = (o.ttl ?? 5) * 1000;

  async function take(owner: string): Promise<boolean> {
    const taken = await model.findOneAndUpdate(
      { _id: o.name, ...leaseIsFree('leasedAt', ttlMs) },
      { $set: { owner }, $currentDate: { leasedAt: true } },
      { lean: true },
    );
    return taken !== null;
  }

  /** MongoDB takes no `$expr` in an upsert, so the document is made by a write of its own, once. */
  async function make(): Promise<void> {
    try {
      await model.updateOne({ _id: o.name }, { $setOnInsert: { owner: null } }, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  return {
    async runExclusively(work) {
      const owner = randomUUID();
      if (!(await take(owner))) {
        if (await model.exists({ _id: o.name })) return false;
        await make();
        if (!(await take(owner))) return false;
      }
      const lost = new AbortController();
      let heldSince = performance.now();
      const renewal = setInterval(async () => {
        const startedAt = performance.now();
        try {
          const renewed = await model.updateOne({ _id: o.name, owner }, { $currentDate: { leasedAt: true } });
          if (renewed.matchedCount === 1) heldSince = startedAt;
          else lost.abort();
        } catch {
          if (performance.now() - heldSince > ttlMs * 0.9) lost.abort();
        }
      }, ttlMs / 3);
      try {
        await work(lost.signal);
        return true;
      } finally {
        clearInterval(renewal);
        // Not given back: it ends by itself.
        await model.updateOne({ _id: o.name, owner }, { $set: { owner: null, leasedAt: null } }).catch(() => undefined);
      }
    },
  };
}
