import { type Credentials, emptyCredentials, type LinkToken } from './credentials.js';
import { linkLimits } from './limits.js';
import { planReset } from './reset-plan.js';

const now = Date.parse('2030-01-01T12:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1000);
const bounded = { mode: 'bounded', links: linkLimits(1) } as const;
const user: Credentials = {
  ...emptyCredentials,
  password: { hash: '$2b$04$x', scheme: 'bcrypt', pepperId: null },
};
const pending: Credentials = {
  ...user,
  password: null,
  temporary: { since: ago(120), until: new Date(now + 60_000) },
  replacedAt: ago(120),
  linksMailedAt: [ago(120)],
};
const token = (over: Partial<LinkToken> = {}): LinkToken => ({
  hash: 'h',
  disownHash: null,
  kind: 'reset',
  requestedAt: ago(100),
  expiresAt: new Date(now + 1000),
  ...over,
});

test('the first request replaces the password and mails a link that can be disowned', () => {
  expect(planReset(user, bounded, now)).toEqual({ mails: true, replaces: true, disownable: true });
});

test('a later one only mails another link', () => {
  expect(planReset(pending, bounded, now)).toEqual({ mails: true, replaces: false, disownable: true });
});

test('within 24 h of an unused request nothing is replaced, after that it is again', () => {
  const restored = { ...user, replacedAt: ago(86_399) };
  expect(planReset(restored, bounded, now)).toMatchObject({ mails: true, replaces: false, disownable: false });
  expect(planReset({ ...user, replacedAt: ago(86_400) }, bounded, now).replaces).toBe(true);
});

test.each([
  ['one a minute', { linksMailedAt: [ago(59)] }],
  ['five an hour', { linksMailedAt: [3599, 2000, 1500, 1000, 61].map(ago) }],
  ['three live', { tokens: [token(), token(), token()] }],
])('no more than %s', (_, over) => {
  expect(planReset({ ...pending, ...over }, bounded, now)).toEqual({
    mails: false,
    replaces: false,
    disownable: false,
  });
});

test.each([
  ['a minute later', { linksMailedAt: [ago(60)] }],
  ['the fifth of an hour', { linksMailedAt: [3600, 2000, 1500, 1000, 61].map(ago) }],
  [
    'dead links and invitations do not count',
    { tokens: [token({ expiresAt: ago(0) }), token({ kind: 'invitation' }), token()] },
  ],
])('%s', (_, over) => {
  expect(planReset({ ...pending, ...over }, bounded, now).mails).toBe(true);
});

test('deferred never replaces', () => {
  expect(planReset(user, { ...bounded, mode: 'deferred' }, now)).toEqual({
    mails: true,
    replaces: false,
    disownable: false,
  });
});

test('disabled credentials get nothing', () => {
  expect(planReset({ ...user, state: 'disabled' }, bounded, now).mails).toBe(false);
});
