import { Problem } from '@latchkey/kit';
import { createStandings } from './standing.js';

const claims = { sessionId: 'a'.repeat(32), userId: 7, expiresAt: 2_000_000_000 };
const request = { requestId: 'r'.repeat(32), client: { address: '127.0.0.1', userAgent: null, languages: null } };
const session = {
  id: claims.sessionId,
  created_at: '2027-01-15T08:00:00Z',
  last_seen_at: '2027-01-15T08:00:00Z',
  expires_at: '2027-01-15T20:00:00Z',
  address: null,
  user_agent: null,
  current: false,
};
type Answer = { active: false } | { active: true; role: 'admin' | 'member'; session: typeof session };
const yes: Answer = { active: true, role: 'member', session };

/** An auth whose answers the test gives one by one. */
function setUp() {
  const state = { now: 1_800_000_000_000 };
  const questions: { answer(value: Answer): void; fail(error: unknown): void }[] = [];
  const auth = {
    introspectSession: () =>
      new Promise<Answer>((resolve, reject) => {
        questions.push({ answer: resolve, fail: reject });
      }),
  };
  const standings = createStandings({ auth, clock: { now: () => state.now } });
  const ask = async () => (await standings.of(claims, request))?.principal ?? null;
  return { state, questions, standings, ask, next: () => questions.shift() as (typeof questions)[number] };
}

const principal = { userId: 7, role: 'member', sessionId: claims.sessionId };

test('a yes is good for one second from when the question was sent, without another call', async () => {
  const { state, questions, standings, ask, next } = setUp();
  const first = ask();
  state.now += 400;
  next().answer(yes);
  expect(await first).toEqual(principal);
  state.now += 599;
  // At once: a promise would mean a call or a wait.
  expect(standings.of(claims, request)).toMatchObject({ principal, session: { current: true } });
  expect(questions).toHaveLength(0);
  state.now += 1;
  const second = ask();
  next().answer({ active: false });
  expect(await second).toBeNull();
});

test('a no is never remembered as a yes, nor for ever', async () => {
  const { ask, next } = setUp();
  const first = ask();
  next().answer({ active: false });
  expect(await first).toBeNull();
  const second = ask();
  next().answer(yes);
  expect(await second).toEqual(principal);
});

test('questions about one session at one time are one call', async () => {
  const { questions, ask, next } = setUp();
  const asked = [ask(), ask(), ask()];
  expect(questions).toHaveLength(1);
  next().answer(yes);
  expect(await Promise.all(asked)).toEqual([principal, principal, principal]);
});

test('a question that has been under way for a second is not joined', async () => {
  const { state, questions, ask, next } = setUp();
  const slow = ask();
  state.now += 1_000;
  const late = ask();
  expect(questions).toHaveLength(2);
  next().answer(yes);
  next().answer({ active: false });
  expect(await slow).toEqual(principal);
  expect(await late).toBeNull();
});

test('S38 the end of a session beats the yes that is in flight, and the remembered one', async () => {
  const { standings, ask, next } = setUp();
  const inFlight = ask();
  standings.ended(claims.sessionId);
  next().answer(yes);
  expect(await inFlight).toBeNull();
  expect(await ask()).toBeNull();

  const other = setUp();
  const first = other.ask();
  other.next().answer(yes);
  await first;
  other.standings.ended(claims.sessionId);
  expect(await other.ask()).toBeNull();
});

test('S37 S45 the end of a user’s sessions voids what was said before; a session that was spared or began later still stands', async () => {
  const { questions, standings, ask, next } = setUp();
  const inFlight = ask();
  standings.endedForUser(7);
  next().answer(yes);
  await new Promise((resolve) => setImmediate(resolve));
  expect(questions).toHaveLength(1);
  next().answer({ active: false });
  expect(await inFlight).toBeNull();

  const spared = ask();
  next().answer(yes);
  expect(await spared).toEqual(principal);
  standings.endedForUser(8);
  expect(standings.of(claims, request)).toMatchObject({ principal });
  standings.endedForUser(7);
  const again = ask();
  next().answer({ active: false });
  expect(await again).toBeNull();
});

test('S39 when auth cannot be asked nobody passes, also not with a yes older than a second', async () => {
  const { state, ask, next } = setUp();
  const first = ask();
  next().answer(yes);
  await first;
  state.now += 1_000;
  for (const error of [new Error('socket hang up'), new Problem('overloaded'), new Problem('service-token-rejected')]) {
    const asked = ask();
    next().fail(error);
    await expect(asked).rejects.toMatchObject({ code: 'service-unavailable', status: 503 });
  }
});

test('F23 a clock set back does not stretch a yes', async () => {
  const { state, questions, ask, next } = setUp();
  const first = ask();
  next().answer(yes);
  await first;
  state.now -= 600_000;
  const second = ask();
  expect(questions).toHaveLength(1);
  next().answer({ active: false });
  expect(await second).toBeNull();
});
