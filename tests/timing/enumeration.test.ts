// S15, S16: may the time of an answer tell whether an address is known? Statistical, so run by `npm run test:timing` and not with the others.
import { StandaloneProcess } from '../support/standalone-process.js';
import { mannWhitneyP, median } from './statistics.js';

jest.setTimeout(10 * 60_000);
const samples = 200;
const rounds = 3;

let system: StandaloneProcess;
beforeAll(async () => {
  system = await StandaloneProcess.create({ BCRYPT_COST: '10', RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error' });
  await system.start();
});
afterAll(() => system.dispose());

async function timed(path: string, body: unknown): Promise<number> {
  const began = performance.now();
  await (
    await fetch(`${system.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).text();
  return performance.now() - began;
}

/** Pairs in random order, so that drift of the machine falls on both alike. */
async function compare(known: (n: number) => Promise<number>, unknown: (n: number) => Promise<number>) {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let n = 0; n < samples; n += 1) {
    const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const which of order) times[which].push(await (which === 'known' ? known(n) : unknown(n)));
  }
  return {
    known: median(times.known),
    unknown: median(times.unknown),
    difference: Math.abs(median(times.known) - median(times.unknown)),
    p: mannWhitneyP(times.known, times.unknown),
  };
}

/** By its nature p falls below 0.01 once in a hundred runs without any difference: a leak shows every time, chance does not. */
async function expectIndistinguishable(hashTime: number, measure: (round: number) => ReturnType<typeof compare>) {
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const result = await measure(round);
    process.stdout.write(`${expect.getState().currentTestName}: ${JSON.stringify(result)}\n`);
    results.push(result);
    expect(result.difference).toBeLessThan(hashTime / 10);
    if (result.p > 0.01) return;
  }
  throw new Error(`Told apart in ${rounds} rounds: ${JSON.stringify(results)}`);
}

async function hashTime(): Promise<number> {
  const times = [];
  for (let n = 0; n < 11; n += 1)
    times.push(await timed('/login', { email: 'nobody@example.org', password: 'not this one' }));
  return median(times);
}

async function createUsers(prefix: string): Promise<void> {
  const admin = system.client();
  await admin.post('/login', system.adminCredentials);
  for (let n = 0; n < samples; n += 1) {
    const body = {
      email: `${prefix}${n}@example.net`,
      first_name: 'T',
      last_name: 'M',
      password: 'correct horse battery',
    };
    expect((await admin.post('/user', body)).status).toBe(201);
  }
}

test('S15 a login takes as long for an unknown address as for a wrong password', async () => {
  await createUsers('login');
  const body = (email: string) => ({ email, password: 'wrong every time' });
  await expectIndistinguishable(await hashTime(), (round) =>
    compare(
      (n) => timed('/login', body(`login${n}@example.net`)),
      (n) => timed('/login', body(`absent${round}x${n}@example.net`)),
    ),
  );
});

test('S16 a reset takes as long for an unknown address as for a known one', async () => {
  await expectIndistinguishable(await hashTime(), async (round) => {
    await createUsers(`reset${round}x`);
    return compare(
      (n) => timed('/reset-password', { email: `reset${round}x${n}@example.net` }),
      (n) => timed('/reset-password', { email: `nobody${round}x${n}@example.net` }),
    );
  });
});
