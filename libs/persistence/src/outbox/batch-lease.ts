import type { AggregateFields } from '../aggregate.js';
import { leaseIsFree } from '../database-lease.js';
import type { OutboxModel } from './aggregates.js';
import { OutboxLease } from './outbox-lease.js';

/** What was published of one aggregate's outbox: all that waited in `document`. */
export interface Emptied {
  readonly document: AggregateFields;
  readonly gone: readonly string[];
}

/**
 * One relay's hold on the outboxes of many aggregates: under load a durable write is shared by all of them. The conditions are those of `OutboxLease`,
 * aggregate by aggregate.
 */
export class BatchLease {
  readonly #model: OutboxModel;
  readonly #owner: string;
  readonly #leaseMs: number;
  #ids: unknown[] = [];
  #renewal: NodeJS.Timeout | undefined;
  #heldSince = 0;
  #lost = false;

  constructor(model: OutboxModel, owner: string, leaseMs: number) {
    this.#model = model;
    this.#owner = owner;
    this.#leaseMs = leaseMs;
  }

  /** Those of the aggregates in which something is pending and that nobody else publishes. */
  async take(ids: readonly unknown[]): Promise<AggregateFields[]> {
    this.#heldSince = performance.now();
    await this.#model.updateMany(
      { _id: { $in: ids }, outboxPending: true, ...leaseIsFree('outboxLeasedAt', this.#leaseMs) },
      { $set: { outboxOwner: this.#owner }, $currentDate: { outboxLeasedAt: true } },
      { timestamps: false },
    );
    const documents: AggregateFields[] = await this.#model.find(this.#ours(ids)).lean();
    this.#ids = documents.map(({ _id }) => _id);
    this.#renewal = setInterval(() => void this.#renew(), this.#leaseMs / 3).unref();
    return documents;
  }

  /** False once another relay may have taken over any of them. */
  get held(): boolean {
    return !this.#lost && performance.now() - this.#heldSince < this.#leaseMs * 0.9;
  }

  /** Removes what was published and the pending flags. Returns those of which nothing was removed, since they were changed meanwhile or are no longer ours. */
  async finish(emptied: readonly Emptied[]): Promise<Emptied[]> {
    if (emptied.length === 0) return [];
    const { matchedCount } = await this.#model.bulkWrite(
      emptied.map(({ document, gone }) => ({
        updateOne: {
          filter: { _id: document._id, outboxOwner: this.#owner, version: document.version },
          update: {
            $unset: { outboxPending: 1, outboxOwner: 1, outboxLeasedAt: 1 },
            ...(gone.length > 0 && { $pull: { outbox: { id: { $in: gone } } } }),
          },
          timestamps: false,
        },
      })),
      { ordered: false },
    );
    if (matchedCount === emptied.length) return [];
    const left = await this.#model.find(this.#ours(emptied.map(({ document }) => document._id))).select({ _id: 1 });
    const ids = new Set(left.map(({ _id }) => String(_id)));
    return emptied.filter(({ document }) => ids.has(String(document._id)));
  }

  /** Gives the leases of these back; what is pending stays pending. */
  async release(documents: readonly AggregateFields[]): Promise<void> {
    if (documents.length === 0) return;
    await this.#model.updateMany(
      { _id: { $in: documents.map(({ _id }) => _id) }, outboxOwner: this.#owner },
      { $unset: { outboxOwner: 1, outboxLeasedAt: 1 } },
      { timestamps: false },
    );
  }

  /** The hold on one of them, to go on alone with it. */
  alone(id: unknown): OutboxLease {
    return OutboxLease.held(this.#model, id, this.#owner, this.#leaseMs, this.#lost ? 0 : this.#heldSince);
  }

  stopRenewing(): void {
    clearInterval(this.#renewal);
  }

  #ours(ids: readonly unknown[]) {
    return { _id: { $in: ids }, outboxOwner: this.#owner, outboxPending: true };
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now();
    try {
      const { matchedCount } = await this.#model.updateMany(
        { _id: { $in: this.#ids }, outboxOwner: this.#owner },
        { $currentDate: { outboxLeasedAt: true } },
        { timestamps: false },
      );
      if (matchedCount === this.#ids.length) this.#heldSince = startedAt;
      else this.#lost = true;
    } catch {
      // Not renewed: `held` turns false by itself when the database does not come back in time.
    }
  }
}
