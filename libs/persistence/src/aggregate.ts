import type { EventDefinition, PayloadOf } from '@latchkey/contracts';

/** An event that waits in its aggregate's document until the relay has published it. Shape of `Message`, plus the relay's own bookkeeping. */
export interface OutboxEntry {
  id: string;
  name: string;
  sequence: number;
  occurredAt: Date;
  correlationId: string;
  notAfter?: Date;
  /** W3C trace context of the write, while there is tracing. */
  traceparent?: string;
  payload: unknown;
  /** Failed attempts to publish this entry while others went through (O8). */
  attempts?: number;
  /** Set when the entry was given up: it stays for a person to see, and blocks nothing. */
  quarantinedAt?: Date;
}

/** The fields that every aggregate's document has beside its own. `version` rises with each change; a change is conditional on it. */
export interface AggregateFields<Id = unknown> {
  _id: Id;
  version: number;
  outbox: OutboxEntry[];
  /** True while `outbox` may hold something to publish; indexed. */
  outboxPending?: boolean;
  outboxOwner?: string;
  /** The database's clock at the start of the lease. */
  outboxLeasedAt?: Date;
}

/** An event as a use case states it; id, sequence and time are filled in by the write. */
export interface NewEvent<E extends EventDefinition = EventDefinition> {
  readonly definition: E;
  readonly payload: PayloadOf<E>;
  readonly notAfter?: Date;
}

export function newEvent<E extends EventDefinition>(
  definition: E,
  payload: PayloadOf<E>,
  options: { notAfter?: Date } = {},
): NewEvent<E> {
  return { definition, payload, ...options };
}

/** Update operators on the aggregate's own fields (never `version` or `outbox*`). */
export interface FieldChanges {
  readonly $set?: Record<string, unknown>;
  readonly $unset?: Record<string, 1>;
  readonly $inc?: Record<string, number>;
  readonly $push?: Record<string, unknown>;
  readonly $pull?: Record<string, unknown>;
  readonly $addToSet?: Record<string, unknown>;
}

/** What a decision asks for: field changes and the events that tell of them, as one write. `null`: nothing to change. */
export interface Change extends FieldChanges {
  readonly events?: readonly NewEvent[];
}

/** Looks at the document as it is and says what to change of it. May throw a `Problem` to refuse; runs again when somebody else was faster. */
export type Decide<D> = (current: D) => Change | null | Promise<Change | null>;

/**
 * Writes of aggregates. Every state change is one conditional write to one document that also holds its events (design §3).
 * `filter` names one document (usually `{ _id }`). Errors: `Problem('service-unavailable')` when the database is away, when contention does not end, or when the outbox is full.
 */
export interface Aggregates {
  /**
   * Reads the document, lets `decide` look at it, writes the change on condition that nothing was changed in between; otherwise reads and decides again.
   * `decide` may throw a `Problem` to refuse. Returns the document after the change (lean), or `null` when none matches the filter.
   */
  change<D extends AggregateFields>(
    model: AggregateModel<D>,
    filter: Record<string, unknown>,
    decide: Decide<D>,
    correlationId: string,
  ): Promise<D | null>;
  /**
   * As {@link change} of the one document that `read` was, beginning with `read` in place of another read: one command less, when nobody changed it since. That there
   * is nothing to change, and a refusal, are only believed of what is there now.
   */
  changeFrom<D extends AggregateFields>(
    model: AggregateModel<D>,
    read: D,
    decide: Decide<D>,
    correlationId: string,
  ): Promise<D | null>;
  /** Inserts a new aggregate with its first events. Throws the driver's duplicate-key error (code 11000, see `isDuplicateKey`) as it is. */
  insert<D extends AggregateFields>(
    model: AggregateModel<D>,
    document: Omit<D, 'version' | 'outbox' | 'outboxPending' | 'outboxOwner' | 'outboxLeasedAt'>,
    events: readonly NewEvent[],
    correlationId: string,
  ): Promise<D>;
}

/** A mongoose model of an aggregate. Typed loosely on purpose: mongoose's own generics cannot express `D` plus operators. */
export type AggregateModel<D extends AggregateFields> = import('mongoose').Model<D>;
