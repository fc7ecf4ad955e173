import { eventually } from '@latchkey/tests';
import type { Lease } from './lease.js';
import { createSweep } from './sweep.js';
import { silentLogger } from './testing/accounts.js';

test('O1 a sweep runs at start, then again and again, never twice at once, and outlives a failed run', async () => {
  let runs = 0;
  let underWay = 0;
  let most = 0;
  const sweep = createSweep({
    name: 'test',
    every: 0.005,
    logger: silentLogger,
    async run() {
      runs += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      if (runs === 2) throw new Error('once');
    },
  });
  await sweep.start();
  await eventually('five runs', () => runs >= 5);
  await Promise.all([sweep.runNow(), sweep.runNow()]);
  await sweep.stop();
  const before = runs;
  await new Promise((resolve) => setImmediate(resolve));
  expect(runs).toBe(before);
  expect(most).toBe(1);
});

test('runNow is a run that began after the call, and rejects as the run does', async () => {
  let state = 'old';
  let seen = '';
  const sweep = createSweep({
    name: 'test',
    every: 3_600,
    logger: silentLogger,
    async run() {
      seen = state;
      if (state === 'broken') throw new Error('broken');
    },
  });
  await sweep.start();
  state = 'new';
  await sweep.runNow();
  expect(seen).toBe('new');
  state = 'broken';
  await expect(sweep.runNow()).rejects.toThrow('broken');
  state = 'healed';
  await sweep.runNow();
  expect(seen).toBe('healed');
  await sweep.stop();
});

test('F36 of two replicas one sweeps, and the other goes on when that one is dead', async () => {
  let holder: string | undefined;
  const leaseOf = (name: string): Lease => ({
    async runExclusively(work) {
      if (holder !== undefined && holder !== name) return false;
      holder = name;
      await work(new AbortController().signal);
      return true;
    },
  });
  const runs: string[] = [];
  const replica = (name: string) =>
    createSweep({
      name: 'test',
      every: 0.005,
      logger: silentLogger,
      lease: leaseOf(name),
      async run(signal) {
        expect(signal).toBeInstanceOf(AbortSignal);
        runs.push(name);
      },
    });
  const [one, other] = [replica('one'), replica('other')];
  await one.start();
  await other.start();
  await eventually('some runs', () => runs.length >= 5);
  expect(new Set(runs)).toEqual(new Set(['one']));
  await other.runNow();
  expect(new Set(runs)).toEqual(new Set(['one']));
  await one.stop();
  holder = undefined;
  await eventually('a run by the other', () => runs.includes('other'));
  await other.stop();
});
