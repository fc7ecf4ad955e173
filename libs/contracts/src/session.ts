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

/** How a session token (a JWT) says what it is: its explicit `typ`, `iss` and `aud` (S36). Auth writes them, the gateway checks them. */
export const sessionTokenRules = { type: 'latchkey-session+jwt', issuer: 'latchkey', audience: 'latchkey' } as const;
