import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { adminCredentials } from '../../support/system.js';
import type { Bench } from '../bench.js';
import { startChild } from '../child.js';
import { closedLoop } from '../load/closed-loop.js';
import { alternate, rateLine } from '../measure/alternate.js';
import { withCpu } from '../measure/cpu-time.js';
import type { Line, Row } from '../row.js';
import { startStandalone } from '../systems.js';

const clients = 8;
const cost = 10;

export const login: Row = {
  name: 'login',
  what: 'POST /login by 8 clients, cost 10; floor: raw bcrypt on as many threads as cores',
  run: async (bench) => [
    await besideBcrypt(bench, 'login', 'compare', 0.95, '/login', 200, () => JSON.stringify(adminCredentials)),
  ],
};

export const createUser: Row = {
  name: 'create',
  what: 'POST /user by 8 clients, cost 10; floor: raw bcrypt on as many threads as cores',
  run: async (bench) => [
    await besideBcrypt(bench, 'create user', 'hash', 0.9, '/user', 201, () =>
      JSON.stringify({
        email: `${randomBytes(9).toString('hex')}@example.net`,
        first_name: 'Grace',
        last_name: 'Hopper',
        password: 'nanoseconds of wire',
      }),
    ),
  ],
};

async function besideBcrypt(
  bench: Bench,
  row: string,
  kind: 'compare' | 'hash',
  reach: number,
  path: string,
  status: number,
  body: () => string,
): Promise<Line> {
  const system = await startStandalone(bench, { BCRYPT_COST: String(cost) });
  const bcrypt = startChild(bench, 'floors/bcrypt', { UV_THREADPOOL_SIZE: String(availableParallelism()) });
  const load = (seconds: number) =>
    closedLoop({
      url: system.url + path,
      method: 'POST',
      connections: clients,
      headers: { 'content-type': 'application/json', cookie: system.cookie },
      next: () => ({ body: body() }),
      status,
      seconds,
    });
  // At so few a second it takes V8 long to compile what is hot, and a server that has just started is another row.
  await load(bench.seconds(20));
  const seconds = bench.seconds(5);
  const found = await alternate(
    bench.rounds,
    () => withCpu([bcrypt.pid], () => bcrypt.ask('run', { kind, seconds, cost, clients })),
    () => withCpu(system.pids(), () => load(seconds)),
  );
  return rateLine(row, 'requests/s', reach, found);
}
