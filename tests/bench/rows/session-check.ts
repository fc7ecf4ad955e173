import type { Bench } from '../bench.js';
import { startChild } from '../child.js';
import { closedLoop } from '../load/closed-loop.js';
import { alternate, rateLine } from '../measure/alternate.js';
import { withCpu } from '../measure/cpu-time.js';
import { recordAnswer } from '../record-answer.js';
import type { Line, Row } from '../row.js';
import { type Loaded, startDistributed, startEngines, startStandalone } from '../systems.js';

const connections = 32;
const seconds = 4;

export const sessionCheck: Row = {
  name: 'session',
  what: 'GET /session on 32 keep-alive connections; floor: express 5 answering the same bytes',
  run: async (bench) => [await besideExpress(bench, 'session check, standalone', '/session', 0.6)],
};

export const ownRecord: Row = {
  name: 'record',
  what: 'GET /user/:id on 32 keep-alive connections; floor: express 5 answering the same bytes',
  run: async (bench) => [await besideExpress(bench, 'own record, standalone', '/user/1', 0.35)],
};

export const sessionCheckDistributed: Row = {
  name: 'session-distributed',
  what: 'GET /session through gateway and user processes; floor: an undici reverse proxy to that express',
  async run(bench) {
    const system = await startDistributed(bench, await startEngines(bench));
    const express = await expressLike(bench, system, '/session');
    const proxy = startChild(bench, 'floors/undici-proxy');
    const port = await proxy.ask<number>('listen', { target: express.url });
    const floor = { url: `http://127.0.0.1:${port}`, pids: [proxy.pid, ...express.pids] };
    return [await compare(bench, 'session check, distributed', '/session', 0.6, system, floor)];
  },
};

async function besideExpress(bench: Bench, row: string, path: string, reach: number): Promise<Line> {
  const system = await startStandalone(bench);
  return compare(bench, row, path, reach, system, await expressLike(bench, system, path));
}

interface Floor {
  readonly url: string;
  readonly pids: readonly number[];
}

async function expressLike(bench: Bench, system: Loaded, path: string): Promise<Floor> {
  const express = startChild(bench, 'floors/express-bytes');
  const port = await express.ask<number>('listen', await recordAnswer(system.url + path, system.cookie));
  return { url: `http://127.0.0.1:${port}`, pids: [express.pid] };
}

async function compare(bench: Bench, row: string, path: string, reach: number, ours: Loaded, floor: Floor) {
  const load = (url: string, pids: readonly number[], time: number) =>
    withCpu(pids, () =>
      closedLoop({ url: url + path, connections, headers: { cookie: ours.cookie }, seconds: bench.seconds(time) }),
    );
  // Neither is measured before its hot code is compiled.
  for (const { url } of [floor, ours]) await load(url, [], 2);
  const found = await alternate(
    bench.rounds,
    () => load(floor.url, floor.pids, seconds),
    () => load(ours.url, ours.pids(), seconds),
  );
  return rateLine(row, 'requests/s', reach, found);
}
