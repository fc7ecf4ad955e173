import type { User } from '@latchkey/contracts';
import type { UserRecord } from '../models/user-record.js';

/** The record as every response shows it: an allow-list, so that a new field of the record never leaks by itself (S12, S69). */
export function toUser(record: UserRecord): User {
  return {
    id: record._id,
    first_name: record.first_name,
    last_name: record.last_name,
    email: record.email,
    password: null,
    password_reset_hash: null,
    payment_customer_id: record.paymentCustomerId ?? null,
    role: record.role,
    deletedAt: record.deletedAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
