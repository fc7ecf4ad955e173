// F23 and every promise that time alone keeps: lifetimes of sessions and links, with a clock that the test turns.
import { resetLinkOf } from '../support/mailbox.js';
import { type System, startSystem } from '../support/system.js';

const password = 'correct horse battery';
const clock = {
  offset: 0,
  now: () => Date.now() + clock.offset,
  forward: (seconds: number) => {
    clock.offset += seconds * 1000;
  },
};

let system: System;
beforeEach(async () => {
  clock.offset = 0;
  system = await startSystem({}, { clock });
});
afterEach(() => system.stop());

test('S42 a session ends after 12 hours although it is used all the time', async () => {
  const client = await system.loggedIn(await system.givenUser({ password }));
  for (let hour = 1; hour < 12; hour += 1) {
    clock.forward(3600);
    expect([hour, (await client.get('/session')).status]).toEqual([hour, 200]);
  }
  clock.forward(3661);
  expect((await client.get('/session')).status).toBe(401);
});

test('S42 a session that is not used for two hours ends', async () => {
  const client = await system.loggedIn(await system.givenUser({ password }));
  clock.forward(7100);
  expect((await client.get('/session')).status).toBe(200);
  clock.forward(7300);
  expect((await client.get('/session')).status).toBe(401);
});

test('S50 S52 a link past its lifetime is as dead as an unknown one, and the old password is back', async () => {
  const { email } = await system.givenUser({ password });
  await system.client().post('/reset-password', { email });
  const link = resetLinkOf(await system.mailbox.waitFor(email, /reset/i));
  clock.forward(1801);
  const late = await system.client().post('/change-password', { ...link, password: 'too late for this' });
  const unknown = await system
    .client()
    .post('/change-password', { ...link, reset_token: 'cd'.repeat(32), password: 'too late for this' });
  expect(late.body.code).toBe('reset-token-invalid');
  expect({ ...late.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  expect((await system.client().post('/login', { email, password })).status).toBe(200);
});

test.each([600, -600])('F23 a jump of %i s breaks neither logins nor live links', async (seconds) => {
  const user = await system.givenUser({ password });
  const client = await system.loggedIn(user);
  await client.post('/reset-password', { email: user.email });
  const link = resetLinkOf(await system.mailbox.waitFor(user.email, /reset/i));
  clock.forward(seconds);
  expect((await system.client().post('/change-password', { ...link, password: 'after the jump 1' })).status).toBe(200);
  expect((await system.client().post('/login', { email: user.email, password: 'after the jump 1' })).status).toBe(200);
  await system.mailbox.waitFor(user.email, /changed/i);
});

test('RESET_MODE=deferred leaves the password alone until the change', async () => {
  const own = await startSystem({ RESET_MODE: 'deferred' });
  try {
    const { email } = await own.givenUser({ password });
    await own.client().post('/reset-password', { email });
    expect((await own.client().post('/login', { email, password })).status).toBe(200);
    const link = resetLinkOf(await own.mailbox.waitFor(email, /reset/i));
    expect((await own.client().post('/change-password', { ...link, password: 'deferred no more' })).status).toBe(200);
    expect((await own.client().post('/login', { email, password })).status).toBe(401);
  } finally {
    await own.stop();
  }
});
