import { z } from 'zod';
import { timestamp } from './fields.js';

/** A message that no handler could finish. `id` = queue + ':' + event id. */
export const deadLetter = z.object({
  id: z.string(),
  service: z.string(),
  queue: z.string(),
  event: z.string().nullable(),
  reason: z.string(),
  attempts: z.int(),
  died_at: timestamp,
  replayed_at: timestamp.nullable(),
  request_id: z.string().nullable(),
});
export type DeadLetter = z.output<typeof deadLetter>;
