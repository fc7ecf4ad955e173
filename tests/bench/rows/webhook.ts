import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { startChild } from '../child.js';
import type { Store } from '../floors/express-webhook.js';
import { closedLoop } from '../load/closed-loop.js';
import { signedEvent } from '../load/signed-event.js';
import { alternate, rateLine } from '../measure/alternate.js';
import { withCpu } from '../measure/cpu-time.js';
import type { Line, Row } from '../row.js';
import { type Loaded, startDistributed, startEngines, startStandalone, webhookSecretOf } from '../systems.js';

export const webhook: Row = {
  name: 'webhook',
  what: 'signed events on 16 connections, standalone; floor: express, signature check, one durable insert into SQLite',
  async run(bench) {
    const system = await startStandalone(bench);
    const store = { kind: 'sqlite', file: join(bench.folder(), 'floor.db') } as const;
    return compare(bench, 'webhook intake, standalone', system, store);
  },
};

export const webhookDistributed: Row = {
  name: 'webhook-distributed',
  what: 'the same on RabbitMQ and a MongoDB-wire server; floor: express, signature check, one durable insert there',
  async run(bench) {
    const engines = await startEngines(bench);
    const system = await startDistributed(bench, engines);
    const store = { kind: 'mongodb', uri: engines.database.uri } as const;
    return compare(bench, 'webhook intake, RabbitMQ and MongoDB-wire', system, store);
  },
};

/** Of what a checkout makes a provider tell, most is of types from which nothing follows here; the rest goes through outbox, queue and processor while the load lasts. */
const types = [
  ['nothing follows', 'customer.updated'],
  ['acted on', 'customer.deleted'],
] as const;

async function compare(bench: Bench, row: string, system: Loaded, store: Store): Promise<Line[]> {
  const secret = webhookSecretOf(system);
  const express = startChild(bench, 'floors/express-webhook');
  const port = await express.ask<number>('listen', { secret, store });
  const load = (url: string, pids: readonly number[], type: string) =>
    withCpu(pids, () =>
      closedLoop({
        url: `${url}/webhook/stripe`,
        method: 'POST',
        connections: 16,
        headers: { 'content-type': 'application/json' },
        next: () => signedEvent(secret, type),
        seconds: bench.seconds(4),
      }),
    );
  const lines: Line[] = [];
  for (const [kind, type] of types) {
    const floor = () => load(`http://127.0.0.1:${port}`, [express.pid], type);
    const ours = () => load(system.url, system.pids(), type);
    await floor();
    lines.push(rateLine(`${row}: ${kind}`, 'events/s', 0.6, await alternate(bench.rounds, floor, ours)));
  }
  return lines;
}
