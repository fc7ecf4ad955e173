import type { Session } from '../../session.js';
import type { User } from '../../user.js';

/** What examples are about: one user, and what becomes of her. */
export const ada: User = {
  id: 7,
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  password: null,
  password_reset_hash: null,
  payment_customer_id: null,
  role: 'member',
  deletedAt: null,
  createdAt: '2027-01-15T08:00:00.000Z',
  updatedAt: '2027-01-15T08:00:00.000Z',
};

export const adasSession: Session = {
  id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  created_at: '2027-01-15T08:00:00.000Z',
  last_seen_at: '2027-01-15T09:12:00.000Z',
  expires_at: '2027-01-15T20:00:00.000Z',
  address: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  current: true,
};

export const password = 'analytical engine';
export const token = 'b3f1c29d7e5a48069c1d2e3f4a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d';
export const requestId = '4f1d2c3b5a6978879600aabbccddeeff';
