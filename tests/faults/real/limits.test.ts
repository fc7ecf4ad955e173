// Too little of what a machine gives: file descriptors.
import { full, print } from './books.js';
import { RealSystem } from './real-system.js';

const flood = full ? 2_000 : 300;

jest.setTimeout(full ? 30 * 60_000 : 8 * 60_000);

let system: RealSystem;
beforeAll(async () => {
  system = await RealSystem.start();
});
afterAll(() => system?.dispose());

/** All at once; counts what they were told. */
async function floodWith(count: number): Promise<Record<string, number>> {
  const told: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: count }, async () => {
      const what = await system
        .client()
        .post('/login', system.adminCredentials)
        .then(
          ({ status }) => String(status),
          () => 'no answer',
        );
      told[what] = (told[what] ?? 0) + 1;
    }),
  );
  return told;
}

test('F37 with 64 file descriptors the gateway refuses what is too much, says so, and serves again', async () => {
  const { gateway } = system.processes;
  await gateway.relive({ under: 'ulimit -n 64' });
  const lives = gateway.ends.length;
  const before = gateway.log().length;
  const told = await floodWith(flood);
  await system.ready();
  const after = await floodWith(5);
  const said =
    gateway
      .log()
      .slice(before)
      .match(/EMFILE|too many open/gi)?.length ?? 0;
  print('F37 ulimit -n 64', { flood, told, after, said, deaths: gateway.ends.length - lives });
  expect(Object.keys(told).filter((one) => !['200', '429', '503', 'no answer'].includes(one))).toEqual([]);
  expect(after).toEqual({ 200: 5 });
  expect(gateway.ends.length).toBe(lives);
  expect(said).toBeGreaterThan(0);
  await gateway.relive();
});
