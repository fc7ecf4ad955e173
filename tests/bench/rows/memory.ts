import { adminCredentials } from '../../support/system.js';
import type { Bench } from '../bench.js';
import { closedLoop } from '../load/closed-loop.js';
import { signedEvent } from '../load/signed-event.js';
import { proportionalSetSize } from '../measure/memory.js';
import { median } from '../measure/percentile.js';
import type { Line, Row } from '../row.js';
import { type Loaded, startStandalone, webhookSecretOf } from '../systems.js';

export const memory: Row = {
  name: 'memory',
  what: 'PSS of the standalone start, hasher included: when it has started, and through two minutes of every load above in turns',
  async run(bench) {
    const system = await startStandalone(bench);
    await new Promise((resolve) => setTimeout(resolve, bench.seconds(5) * 1000));
    const afterStart = size(system);
    if (Number.isNaN(afterStart)) return [];
    const sizes: { second: number; size: number }[] = [];
    const began = performance.now();
    const second = () => (performance.now() - began) / 1000;
    while (second() < (bench.brief ? 4 : 120)) {
      await everyLoad(bench, system);
      sizes.push({ second: second(), size: size(system) });
    }
    const middle = second() / 2;
    const first = sizes.filter((one) => one.second <= middle).map((one) => one.size);
    const later = sizes.filter((one) => one.second > middle).map((one) => one.size);
    const top = Math.max(...first, ...later);
    const line = (row: string, ours: number, most: number, floor: number | null = null): Line => ({
      row,
      unit: 'MiB',
      ours,
      floor,
      ratio: floor === null ? ours : ours - floor,
      reach: { kind: 'at most', value: most, unit: floor === null ? 'MiB' : 'MiB more' },
    });
    return [
      line('memory after start', afterStart, 120),
      line('memory under the loads, largest', top, 180),
      // Collections come and go by a few MiB; what grows without end passes that within a minute of these loads.
      line('memory in the second minute over the first', median(later), 8, median(first)),
    ];
  },
};

const size = (system: Loaded) => proportionalSetSize(system.pid) ?? Number.NaN;

async function everyLoad(bench: Bench, system: Loaded): Promise<void> {
  const seconds = bench.seconds(2);
  const headers = { cookie: system.cookie, 'content-type': 'application/json' };
  const secret = webhookSecretOf(system);
  const post = { method: 'POST', connections: 8, headers, seconds } as const;
  await closedLoop({ url: `${system.url}/session`, connections: 32, headers, seconds });
  await closedLoop({ url: `${system.url}/user/1`, connections: 32, headers, seconds });
  await closedLoop({ ...post, url: `${system.url}/login`, next: () => ({ body: JSON.stringify(adminCredentials) }) });
  await closedLoop({
    ...post,
    url: `${system.url}/webhook/stripe`,
    next: () => signedEvent(secret, 'customer.deleted'),
  });
  const nobody = () => ({ body: JSON.stringify({ email: `nobody${Math.random()}@example.net` }) });
  await closedLoop({ ...post, url: `${system.url}/reset-password`, next: nobody });
}
