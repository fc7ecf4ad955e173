import type { AggregateFields } from '../aggregate.js';
import { leaseIsFree } from '../database-lease.js';
import type { OutboxModel } from './aggregates.js';

/** `timestamps: false`: publishing is no change of the aggregate. */
const quietly = { timestamps: false, lean: true, returnDocument: 'after' } as const;

/**
 * One relay's hold on one aggregate's outbox. Every write is conditional on the owner or names events by id, so that a relay that lost its lease
 * can do no harm (O3, O5).
 */
export class OutboxLease {
  readonly #model: OutboxModel;
  readonly #id: unknown;
  readonly #owner: string;
  readonly #leaseMs: number;
  #renewal: NodeJS.Timeout | undefined;
  #heldSince = 0;
  #lost = false;

  constructor(model: OutboxModel, id: unknown, owner: string, leaseMs: number) {
    this.#model = model;
    this.#id = id;
    this.#owner = owner;
    this.#leaseMs = leaseMs;
  }

  /** A lease that was taken already, at `since` by `performance.now()`. */
  static held(model: OutboxModel, id: unknown, owner: string, leaseMs: number, since: number): OutboxLease {
    const lease = new OutboxLease(model, id, owner, leaseMs);
    lease.#heldSince = since;
    lease.#startRenewing();
    return lease;
  }

  /** The document, when something is pending and nobody else publishes it; else null. */
  async take(): Promise<AggregateFields | null> {
    this.#heldSince = performance.now();
    const document = await this.#model.findOneAndUpdate(
      { _id: this.#id, outboxPending: true, ...leaseIsFree('outboxLeasedAt', this.#leaseMs) },
      { $set: { outboxOwner: this.#owner }, $currentDate: { outboxLeasedAt: true } },
      quietly,
    );
    if (document !== null) this.#startRenewing();
    return document;
  }

  /** False once another relay may have taken over. */
  get held(): boolean {
    return !this.#lost && performance.now() - this.#heldSince < this.#leaseMs * 0.9;
  }

  /** Removes what was published and the pending flag in one write, on condition that nothing was changed since `document` was read. */
  async finish(document: AggregateFields, published: readonly string[]): Promise<boolean> {
    const finished = await this.#model.updateOne(
      { _id: this.#id, outboxOwner: this.#owner, version: document.version },
      {
        $unset: { outboxPending: 1, outboxOwner: 1, outboxLeasedAt: 1 },
        ...(published.length > 0 && { $pull: { outbox: { id: { $in: published } } } }),
      },
      { timestamps: false },
    );
    return finished.matchedCount === 1;
  }

  /** Removes what was published, whoever holds the lease by now: it is out. Returns the document as it then is. */
  async pull(published: readonly string[]): Promise<AggregateFields | null> {
    if (published.length === 0) return this.#model.findOne({ _id: this.#id }).lean();
    return this.#model.findOneAndUpdate({ _id: this.#id }, { $pull: { outbox: { id: { $in: published } } } }, quietly);
  }

  /** Notes a failed attempt on one entry; `at` is its place in the array, and the write names its id, in case the place is another by now. */
  async noteFailure(at: number, entryId: string, quarantinedAt: Date | null): Promise<void> {
    await this.#model.updateOne(
      { _id: this.#id, outboxOwner: this.#owner, [`outbox.${at}.id`]: entryId },
      {
        $inc: { [`outbox.${at}.attempts`]: 1 },
        ...(quarantinedAt && { $set: { [`outbox.${at}.quarantinedAt`]: quarantinedAt } }),
      },
      { timestamps: false },
    );
  }

  /** Gives the lease back; what is pending stays pending. */
  async release(): Promise<void> {
    await this.#model.updateOne(
      { _id: this.#id, outboxOwner: this.#owner },
      { $unset: { outboxOwner: 1, outboxLeasedAt: 1 } },
      { timestamps: false },
    );
  }

  stopRenewing(): void {
    clearInterval(this.#renewal);
  }

  #startRenewing(): void {
    this.#renewal = setInterval(() => void this.#renew(), this.#leaseMs / 3).unref();
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now();
    try {
      const renewed = await this.#model.updateOne(
        { _id: this.#id, outboxOwner: this.#owner },
        { $currentDate: { outboxLeasedAt: true } },
        { timestamps: false },
      );
      if (renewed.matchedCount === 1) this.#heldSince = startedAt;
      else this.#lost = true;
    } catch {
      // Not renewed: `held` turns false by itself when the database does not come back in time.
    }
  }
}
