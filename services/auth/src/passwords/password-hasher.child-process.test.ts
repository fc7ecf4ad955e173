import { resolve } from 'node:path';
import { createLogger } from '@latchkey/kit';
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
  const { getPriority } = await import('node:os');
  const child = await running(async (one) => {
    await one.hash('warm', patient);
    const pid = childOf(process.pid);
    expect(getPriority(pid)).toBe(10);
    return pid;
  });
  expect(() => process.kill(child, 0)).toThrow(/ESRCH/);
});

test('after stop it refuses', async () => {
  const one = hasher();
  await expect(one.hash('secret', patient)).rejects.toMatchObject({ code: 'service-unavailable' });
});

/** The process id of the one hashing child of `parent`. */
function childOf(parent: number): number {
  const { execFileSync } = jest.requireActual<typeof import('node:child_process')>('node:child_process');
  const found = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' })
    .split('\n')
    .find((line) => line.includes('hasher.child'));
  return Number(found?.trim().split(/\s+/)[0]);
}
