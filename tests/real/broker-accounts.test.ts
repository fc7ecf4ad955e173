// The accounts that the one-shot of docker-compose.yml makes, on a RabbitMQ that has read them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindings } from '@latchkey/contracts';
import { createLogger, systemClock } from '@latchkey/kit';
import { exchange, type MessageQueue, openAmqpQueue } from '@latchkey/messaging';
import { makeCredentials } from '@latchkey/standalone';
import { connect } from 'amqplib';
import { eventually } from '../support/eventually.js';
import { RabbitBroker } from '../support/rabbitmq.js';

jest.setTimeout(120_000);

const owners = ['auth', 'user', 'payment', 'mailer'];
const all = Object.values(bindings);
let broker: RabbitBroker;
let folder: string;
let urls: Map<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-accounts-'));
  const { files } = makeCredentials({ main: join(folder, 'main'), production: true });
  broker = await RabbitBroker.start();
  const definitions = join(folder, 'definitions.json');
  writeFileSync(definitions, files.find(({ name }) => name === 'definitions.json')?.content ?? '');
  await broker.ctl('import_definitions', definitions);
  const here = (url: string) => url.replace('@rabbitmq:5672', `@127.0.0.1:${broker.port}`);
  urls = new Map(files.filter(({ name }) => name === 'amqp-url').map(({ volume, content }) => [volume, here(content)]));
});
afterAll(async () => {
  await broker?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = (owner: string) => urls.get(owner) as string;
const queuesOf = (owner: string) => all.map(({ queue }) => queue).filter((queue) => queue.startsWith(`${owner}.`));

test('S74 each service can do its work with its own account: assert the topology, consume what is its, measure', async () => {
  const logger = createLogger({ service: 'test', level: process.env.LOG_LEVEL ?? 'silent' });
  const queues = new Map<string, MessageQueue>();
  for (const owner of owners)
    queues.set(owner, openAmqpQueue({ url: urlOf(owner), bindings: all, clock: systemClock, logger }));
  try {
    // Together, as compose starts them: each makes what it may, and waits for what the others make.
    await Promise.all([...queues.values()].map((queue) => queue.start()));
    for (const [owner, queue] of queues) {
      for (const name of queuesOf(owner)) {
        await queue.consume(name, {
          prefetch: 1,
          onDelivery: async () => ({ kind: 'done' }),
          onDead: async () => undefined,
        });
      }
      await eventually(`${owner} is well`, async () => (await queue.check()).status === 'ok', 30_000);
      expect(Object.keys(await queue.depths())).toEqual(expect.arrayContaining(all.map(({ queue: name }) => name)));
    }
  } finally {
    await Promise.all([...queues.values()].map((queue) => queue.stop()));
  }
});

test('S74 no service reads what is meant for another, and each virtual host is closed to strangers', async () => {
  for (const owner of owners) {
    for (const other of owners.filter((one) => one !== owner)) {
      const connection = await connect(urlOf(owner));
      try {
        const channel = await connection.createChannel();
        channel.on('error', () => undefined);
        const [queue = `${other}.none`] = queuesOf(other);
        await expect(channel.consume(queue, () => undefined)).rejects.toThrow(/ACCESS_REFUSED/);
      } finally {
        await connection.close();
      }
    }
  }
  await expect(connect(`amqp://guest:guest@127.0.0.1:${broker.port}/latchkey`)).rejects.toThrow(
    /ConnectionOpenOk; got <ConnectionClose/,
  );
});

/** Resolves once the broker has confirmed; rejects with what it closes the channel for. */
async function publishAs(owner: string, event: string): Promise<void> {
  const connection = await connect(urlOf(owner));
  try {
    const channel = await connection.createConfirmChannel();
    await new Promise<void>((resolve, reject) => {
      channel.on('error', reject);
      channel.publish(exchange, event, Buffer.from('{}'), {}, (error) => (error ? reject(error) : resolve()));
    });
  } finally {
    await connection.close();
  }
}

test("S74 no service publishes another's events, and each its own", async () => {
  const events = [...new Set(all.map(({ event }) => event.name))];
  for (const owner of owners) {
    for (const event of events) {
      const told = await publishAs(owner, event).catch((error: Error) => error.message);
      const refused = expect.stringMatching(/ACCESS_REFUSED.*topic/);
      expect([owner, event, told]).toEqual([owner, event, event.startsWith(`${owner}.`) ? undefined : refused]);
    }
  }
});
