import { z } from 'zod';
import { role, timestamp, userId } from './fields.js';

/** A user as every response shows it: the contract's ten fields and `role`. `password` and `password_reset_hash` are always null. */
export const user = z.object({
  id: userId,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  password: z.null(),
  password_reset_hash: z.null(),
  payment_customer_id: z.string().nullable(),
  role,
  deletedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type User = z.output<typeof user>;

export const userAnswer = z.object({ user });
