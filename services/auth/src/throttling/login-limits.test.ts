import { eventually, refusal } from '@latchkey/tests';
import mongoose from 'mongoose';
import { inProcessHasher } from '../testing/in-process-hasher.js';
import { type RunningAuth, startAuth } from '../testing/start-auth.js';

let system: RunningAuth;
beforeEach(async () => {
  system = await startAuth();
});
afterEach(() => system.stop());

async function fail(user: { email: string }, times: number, address?: string) {
  const codes: unknown[] = [];
  for (let n = 0; n < times; n++) codes.push((await refusal(system.logIn(user, 'wrong horse', address))).code);
  return codes;
}
const rejected = (times: number) => Array(times).fill('credentials-rejected');

test('S19 after five failures even the right password waits, one second and then twice as long each time', async () => {
  const user = await system.givenUser();
  expect(await fail(user, 5)).toEqual(rejected(5));
  expect(await refusal(system.logIn(user, 'correct horse'))).toMatchObject({
    code: 'rate-limited',
    limit: 'login-failures-per-account',
    retryAfter: 1,
  });
  system.clock.advance(1);
  expect(await fail(user, 1)).toEqual(rejected(1));
  expect(await refusal(system.logIn(user, 'correct horse'))).toMatchObject({ retryAfter: 2 });
  system.clock.advance(2);
  await system.logIn(user, 'correct horse');
  expect(await fail(user, 5)).toEqual(rejected(5));
});

test('S17 unknown emails, whatever their spelling, are limited exactly like known ones', async () => {
  const user = await system.givenUser();
  const stranger = { email: 'stranger@example.org' };
  const story = async (one: { email: string }) => {
    const answers = [];
    for (let n = 0; n < 7; n++) {
      answers.push(await refusal(system.logIn(n % 2 ? one : { email: one.email.toUpperCase() }, 'wrong horse')));
    }
    return answers;
  };
  expect(await story(stranger)).toEqual(await story(user));
});

test('S21 strangers delay nobody for ever, and not at all from an address that logged in before', async () => {
  const user = await system.givenUser();
  const { session } = await system.logIn(user, 'correct horse', '198.51.100.7');
  for (let n = 0; n < 200; n++) {
    await refusal(system.logIn(user, 'wrong horse', `203.0.113.${n}`));
    system.clock.advance(30);
  }
  expect(await refusal(system.logIn(user, 'correct horse', '192.0.2.99'))).toMatchObject({ code: 'rate-limited' });
  await system.logIn(user, 'correct horse', '198.51.100.7');
  const body = { session_id: session.id, user_id: user.id };
  expect(await system.auth.introspectSession({ body }, system.context())).toMatchObject({ active: true });
  system.clock.advance(15 * 60);
  await system.logIn(user, 'correct horse', '192.0.2.99');
});

test('S21 an address is known for 30 days', async () => {
  const user = await system.givenUser();
  await system.logIn(user, 'correct horse', '198.51.100.7');
  system.clock.advance(30 * 86_400);
  await fail(user, 5, '203.0.113.1');
  expect(await refusal(system.logIn(user, 'correct horse', '198.51.100.7'))).toMatchObject({ code: 'rate-limited' });
});

test('S20 a hundred failures in 15 minutes from one address, IPv6 by /64, whoever they are against', async () => {
  for (let n = 0; n < 100; n++) {
    expect(
      (await refusal(system.logIn({ email: `nobody${n}@example.org` }, 'wrong horse', `2001:db8::${n}`))).code,
    ).toBe('credentials-rejected');
  }
  const user = await system.givenUser();
  expect(await refusal(system.logIn(user, 'correct horse', '2001:db8::ffff'))).toMatchObject({
    code: 'rate-limited',
    limit: 'login-failures-per-address',
    retryAfter: 900,
  });
  await system.logIn(user, 'correct horse', '2001:db8:0:1::1');
  system.clock.advance(900);
  await system.logIn(user, 'correct horse', '2001:db8::ffff');
});

test('successes do not count against an address', async () => {
  const user = await system.givenUser();
  for (let n = 0; n < 101; n++) await system.logIn(user, 'correct horse');
});

test('S19 of 50 guesses at once no more are verified than one after the other', async () => {
  const user = await system.givenUser();
  const answers = await Promise.all(Array.from({ length: 50 }, () => refusal(system.logIn(user, 'wrong horse'))));
  expect(answers.filter(({ code }) => code === 'credentials-rejected')).toHaveLength(5);
  expect(answers.filter(({ code }) => code === 'rate-limited')).toHaveLength(45);
});

test('S19 of 20 that waited the delay out one gets the next attempt, and the delay doubles', async () => {
  const user = await system.givenUser();
  await fail(user, 5);
  system.clock.advance(1);
  const answers = await Promise.all(Array.from({ length: 20 }, () => refusal(system.logIn(user, 'wrong horse'))));
  expect(answers.filter(({ code }) => code === 'credentials-rejected')).toHaveLength(1);
  expect(await refusal(system.logIn(user, 'correct horse'))).toMatchObject({ code: 'rate-limited', retryAfter: 2 });
});

test('a person who logs in with 20 windows at once gets in with each', async () => {
  const user = await system.givenUser();
  await expect(
    Promise.all(Array.from({ length: 20 }, () => system.logIn(user, 'correct horse'))),
  ).resolves.toHaveLength(20);
});

test('S23 good and bad logins at once leave no stuck and no negative counter', async () => {
  const user = await system.givenUser();
  await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) => system.logIn(user, n % 4 === 0 ? 'wrong horse' : 'correct horse')),
  );
  system.clock.advance(15 * 60);
  await system.logIn(user, 'correct horse');
  const counters = await system.models.throttles.find({ _id: /^login-failures/ }).lean();
  expect(counters.every(({ count }) => count >= 0)).toBe(true);
  const stuck = counters.filter(({ _id, count }) => _id.startsWith('login-failures-per-account') && count > 0);
  expect(stuck).toEqual([]);
});

test('an attempt that could not be made is no failure', async () => {
  await system.stop();
  const inner = inProcessHasher();
  let broken = true;
  const overloaded = Object.assign(new Error('down'), { code: 'x' });
  const hasher: typeof inner = {
    ...inner,
    verify: (...all) => (broken ? Promise.reject(overloaded) : inner.verify(...all)),
  };
  system = await startAuth({ hasher });
  const user = await system.givenUser();
  for (let n = 0; n < 110; n++) await expect(system.logIn(user, 'correct horse')).rejects.toBeDefined();
  broken = false;
  await eventually('a login', () => system.logIn(user, 'correct horse'));
});

test('a login whose session cannot be stored is no failure', async () => {
  const user = await system.givenUser();
  const away = jest.spyOn(mongoose.Model, 'create').mockRejectedValue(new Error('away'));
  for (let n = 0; n < 6; n++)
    await expect(system.logIn(user, 'correct horse')).rejects.toMatchObject({ code: 'internal-error' });
  away.mockRestore();
  await eventually('counters without a count', async () => {
    const counters = await system.models.throttles.find({ _id: /^login-failures/ }).lean();
    return counters.length > 0 && counters.every(({ count }) => count === 0);
  });
  await system.logIn(user, 'correct horse');
});

test('S22 the counters are in the database', async () => {
  const user = await system.givenUser();
  await fail(user, 5);
  const stored = await system.models.throttles.find({ _id: /^login-failures-per-account/ }).lean();
  expect(stored).toMatchObject([{ count: 5 }]);
  expect(JSON.stringify(stored)).not.toContain('example.org');
});
