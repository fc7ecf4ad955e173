import type { AggregateFields } from '../aggregate.js';
import type { OutboxModel } from './aggregates.js';
import { Hold } from './hold.js';
import { emptying, emptyingAll, freeToTake, quietly, relayed, releasing, renewing, taking } from './lease-writes.js';
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
  #hold: Hold;

  constructor(model: OutboxModel, owner: string, leaseMs: number) {
    this.#model = model;
    this.#owner = owner;
    this.#leaseMs = leaseMs;
    this.#hold = new Hold(leaseMs);
  }

  /** Those of the aggregates in which something is pending and that nobody else publishes. */
  async take(ids: readonly unknown[]): Promise<AggregateFields[]> {
    this.#hold = new Hold(this.#leaseMs);
    await this.#model.updateMany({ _id: { $in: ids }, ...freeToTake(this.#leaseMs) }, taking(this.#owner), quietly);
    const documents: AggregateFields[] = await this.#model.find(this.#ours(ids), relayed).lean();
    const taken = this.#owned(documents);
    this.#hold.startRenewing(async () => {
      const { matchedCount } = await this.#model.updateMany(taken, renewing, quietly);
      return matchedCount === documents.length;
    });
    return documents;
  }

  /** False once another relay may have taken over any of them. */
  get held(): boolean {
    return this.#hold.held;
  }

  /** Removes what was published and the pending flags. Returns those of which nothing was removed, since they were changed meanwhile or are no longer ours. */
  async finish(emptied: readonly Emptied[]): Promise<Emptied[]> {
    if (emptied.length === 0) return [];
    const writes = togetherAtOneVersion(emptied).map((these) =>
      these.length === 1 ? this.#emptyOne(these[0]) : this.#emptyAll(these),
    );
    const { matchedCount } = await this.#model.bulkWrite(writes, { ordered: false });
    if (matchedCount === emptied.length) return [];
    const left = await this.#model.find(this.#ours(emptied.map(({ document }) => document._id))).select({ _id: 1 });
    const ids = new Set(left.map(({ _id }) => String(_id)));
    return emptied.filter(({ document }) => ids.has(String(document._id)));
  }

  /** Gives the leases of these back; what is pending stays pending. */
  async release(documents: readonly AggregateFields[]): Promise<void> {
    if (documents.length === 0) return;
    await this.#model.updateMany(this.#owned(documents), releasing, quietly);
  }

  /** The hold on one of them, to go on alone with it. */
  alone(id: unknown): OutboxLease {
    return OutboxLease.held(this.#model, id, this.#owner, this.#leaseMs, this.#hold.split());
  }

  stopRenewing(): void {
    this.#hold.stopRenewing();
  }

  #emptyOne({ document, gone }: Emptied) {
    return { updateOne: { ...emptying(this.#owner, document, gone), ...quietly } };
  }

  #emptyAll(these: Several) {
    const ids = these.map(({ document }) => document._id);
    return { updateMany: { ...emptyingAll(this.#owner, these[0].document.version, ids), ...quietly } };
  }

  #owned(documents: readonly AggregateFields[]) {
    return { _id: { $in: documents.map(({ _id }) => _id) }, outboxOwner: this.#owner };
  }

  #ours(ids: readonly unknown[]) {
    return { _id: { $in: ids }, outboxOwner: this.#owner, outboxPending: true };
  }
}

type Several = readonly [Emptied, ...Emptied[]];

/** Those of which nothing stays by their version, so that one update fits all of them; each of the others by itself. */
function togetherAtOneVersion(emptied: readonly Emptied[]): Several[] {
  const together = new Map<number, [Emptied, ...Emptied[]]>();
  const alone: Several[] = [];
  for (const each of emptied) {
    const { version, outbox } = each.document;
    const others = together.get(version);
    if (each.gone.length < outbox.length) alone.push([each]);
    else if (others === undefined) together.set(version, [each]);
    else others.push(each);
  }
  return [...together.values(), ...alone];
}
