import type { AggregateFields } from '../aggregate.js';
import type { OutboxModel } from './aggregates.js';
import { Hold } from './hold.js';
import { emptying, freeToTake, quietly, relayed, releasing, renewing, taking } from './lease-writes.js';

const changed = { ...quietly, lean: true, returnDocument: 'after', projection: relayed } as const;

/**
 * One relay's hold on one aggregate's outbox. Every write is conditional on the owner or names events by id, so that a relay that lost its lease
 * can do no harm (O3, O5).
 */
export class OutboxLease {
  readonly #model: OutboxModel;
  readonly #id: unknown;
  readonly #owner: string;
  readonly #leaseMs: number;
  #hold: Hold;

  constructor(model: OutboxModel, id: unknown, owner: string, leaseMs: number) {
    this.#model = model;
    this.#id = id;
    this.#owner = owner;
    this.#leaseMs = leaseMs;
    this.#hold = new Hold(leaseMs);
  }

  /** A lease that was taken already. */
  static held(model: OutboxModel, id: unknown, owner: string, leaseMs: number, hold: Hold): OutboxLease {
    const lease = new OutboxLease(model, id, owner, leaseMs);
    lease.#hold = hold;
    lease.#startRenewing();
    return lease;
  }

  /** The document, when something is pending and nobody else publishes it; else null. */
  async take(): Promise<AggregateFields | null> {
    this.#hold = new Hold(this.#leaseMs);
    const document = await this.#model.findOneAndUpdate(
      { _id: this.#id, ...freeToTake(this.#leaseMs) },
      taking(this.#owner),
      changed,
    );
    if (document !== null) this.#startRenewing();
    return document;
  }

  /** False once another relay may have taken over. */
  get held(): boolean {
    return this.#hold.held;
  }

  /** Removes what was published and the pending flag in one write, on condition that nothing was changed since `document` was read. */
  async finish(document: AggregateFields, published: readonly string[]): Promise<boolean> {
    const { filter, update } = emptying(this.#owner, document, published);
    const finished = await this.#model.updateOne(filter, update, quietly);
    return finished.matchedCount === 1;
  }

  /** Removes what was published, whoever holds the lease by now: it is out. Returns the document as it then is. */
  async pull(published: readonly string[]): Promise<AggregateFields | null> {
    if (published.length === 0) return this.#model.findOne({ _id: this.#id }, relayed).lean();
    return this.#model.findOneAndUpdate({ _id: this.#id }, { $pull: { outbox: { id: { $in: published } } } }, changed);
  }

  /** Notes a failed attempt on one entry; `at` is its place in the array, and the write names its id, in case the place is another by now. */
  async noteFailure(at: number, entryId: string, quarantinedAt: Date | null): Promise<void> {
    await this.#model.updateOne(
      { _id: this.#id, outboxOwner: this.#owner, [`outbox.${at}.id`]: entryId },
      {
        $inc: { [`outbox.${at}.attempts`]: 1 },
        ...(quarantinedAt && { $set: { [`outbox.${at}.quarantinedAt`]: quarantinedAt } }),
      },
      quietly,
    );
  }

  /** Gives the lease back; what is pending stays pending. */
  async release(): Promise<void> {
    await this.#model.updateOne(this.#ours(), releasing, quietly);
  }

  stopRenewing(): void {
    this.#hold.stopRenewing();
  }

  #ours() {
    return { _id: this.#id, outboxOwner: this.#owner };
  }

  #startRenewing(): void {
    this.#hold.startRenewing(async () => {
      const { matchedCount } = await this.#model.updateOne(this.#ours(), renewing, quietly);
      return matchedCount === 1;
    });
  }
}
