// Rows S01–S13 of the security list, as a client sees them, and what may never be found at rest.
import { resetLinkOf } from '../support/mailbox.js';
import { type System, startSystem } from '../support/system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const names = { first_name: 'Grace', last_name: 'Hopper' };
let counter = 0;

async function create(password: string, email = `policy${++counter}@example.com`) {
  return (await system.admin()).post('/user', { email, ...names, password });
}

async function roundTrip(password: string) {
  const email = `trip${++counter}@example.com`;
  const created = await create(password, email);
  return {
    created: created.status,
    login: (presented: string) =>
      system
        .client()
        .post('/login', { email, password: presented })
        .then(({ status }) => status),
  };
}

test('S01 a password is counted in code points: seven are refused, eight and eight emoji are accepted', async () => {
  expect((await create('q7#xvlp')).status).toBe(400);
  expect((await create('q7#xvlpz')).status).toBe(201);
  expect((await create('🦑🐙🦀🦞🦐🐡🐠🐟')).status).toBe(201);
});

test('S02 S03 P26 long passwords count in full, and 257 characters are refused rather than cut', async () => {
  const ascii = await roundTrip('k'.repeat(64));
  expect([ascii.created, await ascii.login('k'.repeat(64))]).toEqual([201, 200]);
  const accented = await roundTrip('é'.repeat(64));
  expect([accented.created, await accented.login('é'.repeat(64)), await accented.login('é'.repeat(63))]).toEqual([
    201, 200, 401,
  ]);
  const past72 = await roundTrip(`${'a'.repeat(72)}X`);
  expect([await past72.login(`${'a'.repeat(72)}X`), await past72.login(`${'a'.repeat(72)}Y`)]).toEqual([200, 401]);
  expect((await create('z'.repeat(256))).status).toBe(201);
  expect((await create('z'.repeat(257))).status).toBe(400);
});

test('S04 S05 P26 control characters, spaces and case keep their full strength', async () => {
  const nul = await roundTrip('abc\u0000longlonglong1');
  expect([nul.created, await nul.login('abc\u0000longlonglong1'), await nul.login('abc')]).toEqual([201, 200, 401]);
  const spaced = await roundTrip('  A spaced Passphrase ');
  expect(await spaced.login('  A spaced Passphrase ')).toBe(200);
  expect(await spaced.login('A spaced Passphrase')).toBe(401);
  expect(await spaced.login('  a spaced passphrase ')).toBe(401);
});

test.each(['password', 'PassWord', 'password12345678', 'qwertyuiop', '12345678', 'football', 'iloveyou'])(
  'S06 the common password %j is refused with a reason',
  async (password) => {
    const answer = await create(password);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'body.password']);
    expect(answer.body.errors[0].message).toMatch(/common/i);
  },
);

test("S07 the user's own words and the product's name are refused", async () => {
  for (const password of ['katherine-1918', 'my-GRACE-word', '1hopper1hopper', 'Latchkey2026!']) {
    const answer = await create(password, 'katherine@example.com');
    expect([password, answer.status]).toEqual([password, 400]);
  }
});

test('S06 S07 every way of setting a password asks the policy, and a refused one changes nothing', async () => {
  const user = await system.givenUser({ password: 'correct horse battery', email: 'katherine@example.net' });
  const client = await system.loggedIn(user);
  const admin = await system.admin();
  await system.client().post('/reset-password', { email: user.email });
  const link = resetLinkOf(await system.mailbox.waitFor(user.email, /reset/i));
  const other = await system.givenUser({ password: 'correct horse battery', email: 'johnson@example.net' });
  const own = await system.loggedIn(other);
  for (const password of ['short', 'password12345678', 'my-GRACE-word', 'Latchkey2026!', 'x'.repeat(257)]) {
    const answers = [
      await client.post('/change-password', { ...link, password }),
      await own.put(`/user/${other.id}`, { password, current_password: other.password }),
      await admin.put(`/user/${other.id}`, { password }),
    ];
    for (const answer of answers) {
      expect([password, answer.status, answer.body.errors?.[0]?.path]).toEqual([password, 400, 'body.password']);
    }
  }
  for (const [email, one] of [
    ['katherine-1918', () => client.post('/change-password', { ...link, password: 'katherine-1918' })],
    ['johnson-1918', () => admin.put(`/user/${other.id}`, { password: 'johnson-1918' })],
    // A name that comes with the same request is the user's own word already.
    ['vaughan-1910', () => admin.put(`/user/${other.id}`, { password: 'vaughan-1910', last_name: 'Vaughan' })],
  ] as const) {
    expect([email, (await one()).status]).toEqual([email, 400]);
  }
  await system.loggedIn(other);
  expect((await system.client().post('/reset-token/check', link)).status).toBe(200);
});

test('S13 a member cannot set a password without the current one, nor with a wrong one', async () => {
  const user = await system.givenUser({ password: 'correct horse battery' });
  const client = await system.loggedIn(user);
  const missing = await client.put(`/user/${user.id}`, { password: 'a brand new one 1' });
  const wrong = await client.put(`/user/${user.id}`, { password: 'a brand new one 1', current_password: 'guess' });
  expect([missing.status, wrong.status]).toEqual([400, 401]);
  const right = await client.put(`/user/${user.id}`, {
    password: 'a brand new one 1',
    current_password: user.password,
  });
  expect(right.status).toBe(200);
  expect((await system.client().post('/login', { email: user.email, password: 'a brand new one 1' })).status).toBe(200);
});

test('S12 S26 S29 S47 S48 S58 no hash, token or password is found in answers, logs, databases or queues', async () => {
  const password = 'unmistakable-Needle-1';
  const user = await system.givenUser({ password });
  const client = await system.loggedIn(user);
  const jwt = (await client.token()) as string;
  const answers = [await client.get(`/user/${user.id}`), await client.get('/session'), await client.get('/sessions')];
  answers.push(await system.client().post('/login', { email: user.email, password: 'wrong-Needle-2' }));
  answers.push(await client.post('/reset-password', { email: user.email }));
  const link = resetLinkOf(await system.mailbox.waitFor(user.email, /reset/i));

  // While the link is alive only its hash is at rest (S47); the mailbox itself is the user's, not ours.
  expect(await system.atRest(link.reset_token)).toEqual([]);
  const next = 'unmistakable-Needle-3';
  answers.push(await client.post('/change-password', { ...link, password: next }));
  await system.mailbox.waitFor(user.email, /changed/i);

  const spoken = `${answers.map((answer) => answer.text).join('\n')}\n${system.log()}`;
  for (const secret of [password, 'wrong-Needle-2', next, link.reset_token, jwt]) {
    expect(spoken.includes(secret)).toBe(false);
    expect(await system.atRest(secret)).toEqual([]);
  }
  expect(spoken).not.toMatch(/\$2[aby]\$\d\d\$/);
  expect(answers.map((answer) => answer.text).join('')).not.toMatch(/eyJ/);
});

test('the search of the test above finds what is kept', async () => {
  const { email } = await system.givenUser({ password: 'correct horse battery' });
  expect(await system.atRest(email)).not.toEqual([]);
});
