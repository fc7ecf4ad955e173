// `npm run bench:growth`: does anything get slower as the data grow? A standalone start is measured with a thousand, a hundred thousand and a million users,
// each with credentials, a session and a processed event, which are loaded into its files while it does not run. `-- --sizes 1000,10000` takes other sizes.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench } from './bench.js';
import { type GrownSystem, growSystem } from './growth/grow-system.js';
import { closedLoop } from './load/closed-loop.js';
import { table, writeJson } from './report.js';
import type { Line } from './row.js';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    json: { type: 'string', default: resolve(__dirname, '../../.build/bench-growth.json') },
  },
});
const sizes = values.sizes.split(',').map(Number);

type Operation = (system: GrownSystem, count: number) => Promise<number>;

/** One client, so that a time is that of the work and of nothing that waits beside it. Medians, in ms. */
const get =
  (path: () => string): Operation =>
  async ({ url, cookie }, count) =>
    (await closedLoop({ url: url + path(), connections: 1, headers: { cookie }, count })).p50;

const operations: Record<string, Operation> = {
  login: async (system, count) => {
    const next = () => ({ body: JSON.stringify(system.someCredentials()) });
    const headers = { 'content-type': 'application/json' };
    return (await closedLoop({ url: `${system.url}/login`, method: 'POST', connections: 1, headers, next, count })).p50;
  },
  'GET /user?limit=50': get(() => '/user?limit=50'),
  'GET /user?q=, one person': get(() => '/user?limit=50&q=growth77@'),
  // One user in ninety: the matches grow with the data, a page of them does not (of a thousand users they are eleven).
  'GET /user?q=, many': get(() => '/user?limit=10&q=growth77'),
  'session check': async (system, count) => {
    // A fresh session for each: one that was seen a moment ago is not looked up.
    const cookies = await system.someSessions(Math.min(count, 50));
    let turn = 0;
    const next = () => ({ body: '', headers: { cookie: cookies[turn++ % cookies.length] as string } });
    await new Promise((pass) => setTimeout(pass, 1_100));
    return (await closedLoop({ url: `${system.url}/session`, connections: 1, next, count: cookies.length })).p50;
  },
};

async function measure(size: number): Promise<Map<string, number>> {
  const bench = new Bench(false);
  try {
    const system = await growSystem(bench, size);
    const found = new Map<string, number>();
    process.stderr.write(`${size.toLocaleString('en')} users are loaded\n`);
    for (const [name, operation] of Object.entries(operations)) {
      await operation(system, 100);
      found.set(name, await operation(system, 400));
      process.stderr.write(`${name}: ${found.get(name)?.toFixed(2)} ms\n`);
    }
    return found;
  } finally {
    await bench.end();
  }
}

async function main(): Promise<void> {
  const [smallest = 1_000, ...larger] = sizes;
  const floor = await measure(smallest);
  const lines: Line[] = [];
  for (const size of larger) {
    const found = await measure(size);
    for (const [name, ours] of found) {
      const before = floor.get(name) as number;
      const reach = { kind: 'at most', value: 1.3 } as const;
      lines.push({
        row: `${name}, ${size.toLocaleString('en')} users over ${smallest.toLocaleString('en')}`,
        unit: 'ms',
        ours,
        floor: before,
        ratio: ours / before,
        reach,
      });
    }
  }
  process.stdout.write(`${table(lines)}\n`);
  writeJson(values.json, lines, false);
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
