import { z } from 'zod';
import { sessionId, timestamp } from './fields.js';

/** A session as its user sees it. `current`: the one that asked. */
export const session = z.object({
  id: sessionId,
  created_at: timestamp,
  last_seen_at: timestamp,
  expires_at: timestamp,
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  current: z.boolean(),
});
export type Session = z.output<typeof session>;
