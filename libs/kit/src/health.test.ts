import type { HealthStatus } from '@latchkey/contracts';
import { aggregate, createHealthProbe } from './health.js';
import type { Check } from './service.js';

const check = (name: string, critical: boolean, status: HealthStatus): Check => ({
  name,
  critical,
  run: async () => ({ status }),
});

test.each([
  [[], 'ok'],
  [[check('a', true, 'ok'), check('b', false, 'ok')], 'ok'],
  [[check('a', true, 'degraded')], 'degraded'],
  [[check('a', true, 'ok'), check('b', false, 'down')], 'degraded'],
  [[check('a', true, 'down'), check('b', false, 'degraded')], 'down'],
] as const)('checks %j make %s', async (checks, status) => {
  expect((await aggregate(checks)).status).toBe(status);
});

test('a check that hangs or throws at once counts as down', async () => {
  const hanging: Check = { name: 'hanging', critical: true, run: () => new Promise(() => {}) };
  const throwing: Check = {
    name: 'throwing',
    critical: false,
    run: () => {
      throw new Error('password=hunter2');
    },
  };
  const health = await aggregate([hanging, throwing], { timeout: 0.02 });
  expect(health).toEqual({
    status: 'down',
    checks: {
      hanging: { status: 'down', detail: 'did not answer in time' },
      throwing: { status: 'down', detail: 'failed' },
    },
  });
});

test('asked often, a probe runs its checks once a second, and one that hangs never twice at once', async () => {
  let runs = 0;
  const probe = createHealthProbe(
    [
      {
        name: 'slow',
        critical: true,
        run: () => {
          runs += 1;
          return new Promise(() => {});
        },
      },
    ],
    { timeout: 0.01 },
  );
  const ask = () => Promise.all(Array.from({ length: 20 }, probe));
  await ask();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5000);
  await ask();
  clock.mockRestore();
  expect(runs).toBe(1);
});
