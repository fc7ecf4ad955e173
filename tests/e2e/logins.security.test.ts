// What a guesser learns and gets, through the whole system and across restarts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../support/api-client.js';
import { resetLinkOf } from '../support/mailbox.js';
import { type System, startSystem } from '../support/system.js';

const password = 'correct horse battery';
const guess = (system: System, email: string, presented = 'wrong horse', headers: Record<string, string> = {}) =>
  system.client().post('/login', { email, password: presented }, { headers });

/** All that a client can tell two answers by, but for what differs between any two. */
function seen({ status, headers, body }: Answer) {
  const own = ['date', 'x-request-id', 'content-length'];
  const names = [...headers].filter(([name]) => !own.includes(name));
  return { status, headers: names, body: { ...body, request_id: '' } };
}

/**
 * Guesses on, waiting as each answer asks for, until the delay (1 s after five failures, then twice as long each time) outlasts the next requests on a slow
 * machine too. Gives the moment until when it surely lasts.
 */
async function delayedUntil(system: System, email: string): Promise<number> {
  for (;;) {
    const asked = performance.now();
    const { status, headers } = await guess(system, email);
    const seconds = Number(headers.get('retry-after') ?? 0);
    if (seconds >= 4) return asked + (seconds - 1) * 1000;
    if (status === 429) await pause(seconds * 1000);
  }
}

/** How many guesses the doubling delay may let through, beyond the free ones, within this time. */
const passedBy = (milliseconds: number) => Math.floor(Math.log2(milliseconds / 1000 + 1));

describe('with the limits of production', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ RATE_LIMIT_SCALE: '1' });
  });
  afterAll(() => system.stop());

  test('S14 S17 wrong, unknown, deleted, invited and reset users get the same bytes, also once they are delayed', async () => {
    const admin = await system.admin();
    const wrong = await system.givenUser({ password });
    const deleted = await system.givenUser({ password });
    await admin.delete(`/user/${deleted.id}`);
    await admin.post('/user', { email: 'invited@example.net', first_name: 'A', last_name: 'B' });
    const reset = await system.givenUser({ password });
    await system.client().post('/reset-password', { email: reset.email });

    const stories = [];
    for (const email of [wrong.email, 'nobody@example.net', deleted.email, 'invited@example.net', reset.email]) {
      const presented = email === wrong.email ? 'wrong horse' : password;
      const story = [];
      // Five free failures and the delay; spelled in two ways, which must not make two counters.
      for (let n = 0; n < 5; n++) story.push(seen(await guess(system, n % 2 ? email : email.toUpperCase(), presented)));
      // The next one, unless it came so late that the delay was over.
      let delayed = await guess(system, email, presented);
      for (let n = 0; n < 3 && delayed.status === 401; n++) delayed = await guess(system, email, presented);
      stories.push([...story, seen(delayed)]);
    }
    expect(stories[0]?.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    for (const story of stories) expect(story).toEqual(stories[0]);
  });

  test('S17 two resets in a row are answered alike, known or not', async () => {
    const user = await system.givenUser({ password, email: 'jane@example.com' });
    const ask = async (email: string) => seen(await system.client().post('/reset-password', { email }));
    const known = [await ask(user.email), await ask(user.email), await ask(user.email)];
    const unknown = [await ask('jens@example.com'), await ask('jens@example.com'), await ask('jens@example.com')];
    expect(unknown).toEqual(known);
  });

  test('S19 S20 a burst of guesses under many made-up addresses and spellings is five guesses', async () => {
    const user = await system.givenUser({ password });
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        guess(system, n % 2 ? user.email : user.email.toUpperCase(), `wrong horse ${n}`, {
          'x-forwarded-for': `198.51.100.${n}`,
          'x-real-ip': `198.51.100.${n}`,
          'true-client-ip': `198.51.100.${n}`,
          forwarded: `for=198.51.100.${n}`,
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    const most = 5 + passedBy(performance.now() - began);
    const wrong = statuses.filter((status) => status === 401).length;
    expect(wrong).toBeGreaterThanOrEqual(5);
    expect(wrong).toBeLessThanOrEqual(most);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - wrong);
    await delayedUntil(system, user.email);
    expect((await guess(system, user.email, password)).status).toBe(429);
  });

  test('S21 a delayed user’s session goes on, and the reset link lets it in at once', async () => {
    const user = await system.givenUser({ password });
    const client = await system.loggedIn(user);
    await Promise.all(Array.from({ length: 12 }, () => guess(system, user.email)));
    await delayedUntil(system, user.email);
    expect((await guess(system, user.email, password)).status).toBe(429);
    expect((await client.get('/session')).status).toBe(200);
    await system.client().post('/reset-password', { email: user.email });
    const link = resetLinkOf(await system.mailbox.waitFor(user.email, /reset/i));
    await system.client().post('/change-password', { ...link, password: 'a fresh staple 42' });
    expect((await guess(system, user.email, 'a fresh staple 42')).status).toBe(200);
  });
});

test('S20 failures against many emails are counted for the address, which no header changes', async () => {
  const system = await startSystem({ RATE_LIMIT_SCALE: '0.2' });
  try {
    const statuses = [];
    for (let n = 0; n < 22; n++) {
      const headers = { 'x-forwarded-for': `2001:db8::${n}` };
      statuses.push((await guess(system, `nobody${n}@example.net`, 'wrong horse', headers)).status);
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
  } finally {
    await system.stop();
  }
});

test('S22 S38 after a restart delays still hold, ended sessions stay ended, and the others stand', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-e2e-'));
  const start = () => startSystem({ RATE_LIMIT_SCALE: '1' }, { dataDir });
  let system = await start();
  try {
    const user = await system.givenUser({ password });
    const [ended, kept] = [await system.loggedIn(user), await system.loggedIn(user)];
    const tokens = [await ended.token(), await kept.token()];
    await ended.get('/logout');
    const victim = await system.givenUser({ password });
    const until = await delayedUntil(system, victim.email);
    await system.stop();

    system = await start();
    const present = async (token = '') =>
      (await system.client().get('/session', { headers: { cookie: `access_token=${token}` } })).status;
    expect([await present(tokens[0]), await present(tokens[1])]).toEqual([401, 200]);
    // A counter that began anew would have five free failures.
    const again = [];
    for (let n = 0; n < 4; n++) again.push((await guess(system, victim.email)).status);
    expect(again).toContain(429);
    const right = await guess(system, victim.email, password);
    // Unless the start took longer than the delay.
    if (performance.now() < until) expect([...again, right.status]).toEqual([429, 429, 429, 429, 429]);
  } finally {
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
