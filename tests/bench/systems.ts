import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RealEngines, startRealEngines } from '../support/real-engines.js';
import { ServiceProcesses } from '../support/service-processes.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { adminCredentials } from '../support/system.js';
import type { Bench } from './bench.js';
import { familyOf } from './measure/cpu-time.js';

/** A running system as rows see it. */
export interface Loaded {
  readonly url: string;
  /** The admin's. */
  readonly cookie: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Of every process of ours in it, engines not among them. */
  pids(): number[];
}

/** What rows need to be let do: nothing but limits is changed from what a person starts. */
const settings = {
  ADMIN_EMAIL: adminCredentials.email,
  ADMIN_PASSWORD: adminCredentials.password,
  BCRYPT_COST: '10',
  RATE_LIMIT_SCALE: '1000000',
};

/** The built standalone process on embedded parts. Its log goes to a file: reading it is not the load's work. */
export async function startStandalone(bench: Bench, over: Record<string, string> = {}): Promise<Loaded> {
  const log = openSync(join(bench.folder(), 'standalone.log'), 'a');
  const standalone = await StandaloneProcess.create({ ...settings, ...over }, log);
  bench.atEnd(() => standalone.dispose());
  await standalone.start();
  return {
    url: standalone.url,
    cookie: await logIn(standalone.url),
    dataDir: standalone.dataDir,
    pid: standalone.pid as number,
    pids: () => familyOf(standalone.pid as number),
  };
}

export async function startEngines(bench: Bench): Promise<RealEngines> {
  const engines = await startRealEngines();
  bench.atEnd(() => engines.dispose());
  return engines;
}

/** The six processes under their supervisor, on RabbitMQ and a server of MongoDB's wire protocol. */
export async function startDistributed(
  bench: Bench,
  engines: Pick<RealEngines, 'fresh'>,
): Promise<Loaded & { readonly databaseUri: string }> {
  const processes = await ServiceProcesses.create({ ...settings, ...(await engines.fresh()) });
  bench.atEnd(() => processes.dispose());
  await processes.start();
  return {
    url: processes.url,
    cookie: await logIn(processes.url),
    dataDir: processes.dataDir,
    pid: processes.pid as number,
    databaseUri: processes.databaseUri,
    pids: () => familyOf(processes.pid as number),
  };
}

/** The cookie header of a fresh session. */
export async function logIn(url: string, credentials = adminCredentials): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  if (!answer.ok) throw new Error(`Login was refused: ${answer.status} ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/** What the simulator signs its webhooks with. */
export function webhookSecretOf({ dataDir }: Pick<Loaded, 'dataDir'>): string {
  return readFileSync(join(dataDir, 'secrets', 'stripe-simulator-webhook-secret'), 'utf8').trim();
}
