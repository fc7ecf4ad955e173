import { z } from 'zod';
import { timestamp } from '../fields.js';

/** The facts of one aggregate that others are told of. `name` is also the routing key: `<owner>.<fact>.v<n>`. */
export interface EventDefinition<P extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly payload: P;
}

export function defineEvent<const N extends string, P extends z.ZodType>(name: N, payload: P): { name: N; payload: P } {
  return { name, payload };
}

export type PayloadOf<E extends EventDefinition> = z.output<E['payload']>;

/**
 * What crosses the broker. `id`: stable from the outbox on, consumers know duplicates by it; `sequence`: rises with each event of
 * one aggregate; `notAfter`: past it the message has lost its meaning; `correlationId`: the request id it began with.
 */
export const message = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  aggregateId: z.string(),
  sequence: z.int().min(0),
  occurredAt: timestamp,
  correlationId: z.string(),
  notAfter: timestamp.optional(),
  /** W3C trace context of what caused it; one that cannot be read is none. */
  traceparent: z
    .string()
    .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional()
    .catch(undefined),
  payload: z.unknown(),
});
export type Message<P = unknown> = Omit<z.output<typeof message>, 'payload'> & { payload: P };
