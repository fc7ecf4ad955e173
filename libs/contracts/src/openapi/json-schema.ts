import { z } from 'zod';
import { deadLetter } from '../dead-letter.js';
import { problemDocument } from '../errors.js';
import { serviceHealth, systemHealth } from '../health.js';
import { mail, mailAttempt } from '../mail.js';
import { checkout, price, product, webhookEvent } from '../payment.js';
import { session } from '../session.js';
import { user } from '../user.js';

export type Json = Record<string, unknown>;

/** Resources that the document describes once and refers to by name. */
const named = {
  Problem: problemDocument,
  User: user,
  Session: session,
  Mail: mail,
  MailAttempt: mailAttempt,
  Product: product,
  Price: price,
  Checkout: checkout,
  WebhookEvent: webhookEvent,
  DeadLetter: deadLetter,
  ServiceHealth: serviceHealth,
  SystemHealth: systemHealth,
};

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });

/** The JSON schema of what is sent (`input`) or answered (`output`), with references to `#/components/schemas`. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const {
    $schema: _,
    $defs: __,
    id: ___,
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: registry });
  return tidy(json) as Json;
}

/** The named schemas, for `components.schemas`. */
export function namedSchemas(): Record<string, Json> {
  const { schemas } = z.toJSONSchema(registry, { io: 'output', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, id: ___, ...schema }]) => [name, tidy(schema) as Json]),
  );
}

/** Points into the components, and leaves out patterns that only repeat a format. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key]) => !(key === 'pattern' && 'format' in value && value.format === 'date-time'),
  );
  return Object.fromEntries(
    entries.map(([key, part]) => [
      key,
      key === '$ref' ? String(part).replace('#/$defs/', '#/components/schemas/') : tidy(part),
    ]),
  );
}
