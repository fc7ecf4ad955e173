import { user } from '@latchkey/contracts';
import type { UserRecord } from '../models/user-record.js';
import { toUser } from './to-user.js';

test('S12 S69 shows exactly the fields of the contract, whatever the record holds', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  const record: UserRecord & Record<string, unknown> = {
    _id: 7,
    version: 3,
    outbox: [],
    email: 'Ann@Example.org',
    emailKey: 'ann@example.org',
    first_name: 'Ann',
    last_name: 'Lee',
    role: 'member',
    rosterEpoch: 1,
    state: 'active',
    emailChange: {
      newEmail: 'new@example.org',
      tokenHash: 'hash',
      requestedAt: at,
      requestId: 'request-1',
      expiresAt: at,
    },
    owedToAuth: ['end-sessions'],
    createdAt: at,
    updatedAt: at,
    passwordHash: 'never',
  };
  const shown = toUser(record);
  expect(Object.keys(shown).sort()).toEqual(Object.keys(user.shape).sort());
  expect(shown).toEqual({
    id: 7,
    first_name: 'Ann',
    last_name: 'Lee',
    email: 'Ann@Example.org',
    password: null,
    password_reset_hash: null,
    payment_customer_id: null,
    role: 'member',
    deletedAt: null,
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:04:05.678Z',
  });
  expect(toUser({ ...record, deletedAt: at, paymentCustomerId: 'cus_1' })).toMatchObject({
    deletedAt: at.toISOString(),
    payment_customer_id: 'cus_1',
  });
});
