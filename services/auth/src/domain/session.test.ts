import { emptyCredentials } from './credentials.js';
import { type Session, stands } from './session.js';

const now = Date.parse('2030-01-01T12:00:00Z');
const session: Session = {
  _id: 'a'.repeat(32),
  userId: 1,
  role: 'member',
  generation: 3,
  createdAt: new Date(now - 1000),
  lastSeen: new Date(now - 1000),
  expiresAt: new Date(now + 1000),
  address: null,
  userAgent: null,
};
const credentials = { ...emptyCredentials, sessionGeneration: 3 };

test('a session stands while its generation is the current one', () => {
  expect(stands(session, credentials, 7200, now)).toBe(true);
  expect(stands({ ...session, generation: 2 }, credentials, 7200, now)).toBe(false);
});

test('S42 it ends at its absolute end and when idle', () => {
  expect(stands(session, credentials, 7200, now + 1000)).toBe(false);
  const long = { ...session, expiresAt: new Date(now + 1e9) };
  expect(stands(long, credentials, 7200, now + 7_198_999)).toBe(true);
  expect(stands(long, credentials, 7200, now + 7_199_000)).toBe(false);
});

test('S37 none stands for disabled or missing credentials', () => {
  expect(stands(session, { ...credentials, state: 'disabled' }, 7200, now)).toBe(false);
  expect(stands(session, null, 7200, now)).toBe(false);
});

test('S45 the session that changed the password outlives the others', () => {
  const changed = { ...credentials, sessionGeneration: 4, keptSession: session._id };
  expect(stands(session, changed, 7200, now)).toBe(true);
  expect(stands({ ...session, _id: 'b'.repeat(32) }, changed, 7200, now)).toBe(false);
});
