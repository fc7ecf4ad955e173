import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { resolve } from 'node:path';
import { createLogger } from '@latchkey/kit';
import { eventually } from '@latchkey/tests';
import { createPasswordHasher } from './password-hasher.child-process.js';

const hook = resolve(__dirname, '../../../../tests/support/ts-hook.cjs');
const logger = createLogger({ service: 'test', level: 'silent' });
const patient = { timeout: 20_000 };

function hasher(over: Partial<Parameters<typeof createPasswordHasher>[0]> = {}) {
  return createPasswordHasher({ cost: 4, execArgv: ['-r', hook], logger, ...over });
}

async function running<T>(
  work: (one: ReturnType<typeof hasher>) => Promise<T>,
  over: Parameters<typeof hasher>[0] = {},
): Promise<T> {
  const one = hasher(over);
  await one.start();
  try {
    return await work(one);
  } finally {
    await one.stop();
  }
}

test('S09 hashes with a salt of its own each time, and verifies', () =>
  running(async (one) => {
    const [first, second] = await Promise.all([one.hash('secret', patient), one.hash('secret', patient)]);
    expect(first).toMatch(/^\$2b\$04\$/);
    expect(first).not.toBe(second);
    expect(await one.verify('secret', first as string, patient)).toBe(true);
    expect(await one.verify('Secret', first as string, patient)).toBe(false);
  }));

test('S11 refuses past the queue limit and past the deadline, and serves the rest', () =>
  running(
    async (one) => {
      const answers = await Promise.allSettled(Array.from({ length: 10 }, () => one.hash('secret', patient)));
      const refused = answers.filter((answer) => answer.status === 'rejected');
      expect(refused.length).toBeGreaterThan(0);
      expect(refused[0]?.reason).toMatchObject({ code: 'overloaded', retryAfter: 1 });
      expect(answers.filter((answer) => answer.status === 'fulfilled').length).toBeGreaterThanOrEqual(2);
      await expect(one.hash('secret', { timeout: 0 })).rejects.toMatchObject({ code: 'overloaded' });
      const slow = one.hash('secret', patient);
      const impatient = one.hash('secret', { timeout: 1 });
      await expect(impatient).rejects.toMatchObject({ code: 'overloaded' });
      await slow;
    },
    { cost: 12, concurrency: 1, maxQueue: 2 },
  ));

test('a child that dies is replaced and its jobs are done all the same', () =>
  running(
    async (one) => {
      await one.hash('warm', patient);
      const jobs = Array.from({ length: 4 }, () => one.hash('secret', patient));
      const child = childOf(process.pid);
      process.kill(child, 'SIGKILL');
      const hashes = await Promise.all(jobs);
      expect(hashes).toHaveLength(4);
      expect(childOf(process.pid)).not.toBe(child);
      expect(await one.check()).toMatchObject({ status: 'ok' });
    },
    { cost: 11, concurrency: 2 },
  ));

test('runs at lower priority, and is gone after stop', async () => {
  const child = await running(async (one) => {
    await one.hash('warm', patient);
    const pid = childOf(process.pid);
    expect(getPriority(pid)).toBe(10);
    return pid;
  });
  expect(() => process.kill(child, 0)).toThrow(/ESRCH/);
});

test('it does not outlive a parent that was killed', async () => {
  const script = `
    const { createPasswordHasher } = require(${JSON.stringify(resolve(__dirname, 'password-hasher.child-process.ts'))});
    const hasher = createPasswordHasher({ cost: 4, execArgv: ['-r', ${JSON.stringify(hook)}], logger: console });
    hasher.start().then(() => hasher.hash('warm', { timeout: 20000 })).then(() => console.log('ready'));`;
  const parent = spawn(process.execPath, ['-r', hook, '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(parent.stdout, 'data');
  const child = childOf(parent.pid as number);
  expect(child).toBeGreaterThan(0);
  parent.kill('SIGKILL');
  await eventually('its end', () => !isAlive(child));
}, 20_000);

test('after stop it refuses', async () => {
  const one = hasher();
  await expect(one.hash('secret', patient)).rejects.toMatchObject({ code: 'service-unavailable' });
});

/** The process id of the one hashing child of `parent`. */
function childOf(parent: number): number {
  const found = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' })
    .split('\n')
    .find((line) => line.includes('hasher.child'));
  return Number(found?.trim().split(/\s+/)[0]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
