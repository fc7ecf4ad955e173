// What `latchkey doctor` finds on RabbitMQ and a server of MongoDB's wire protocol.
import { connect } from 'amqplib';
import mongoose from 'mongoose';
import { latchkey } from '../support/latchkey-command.js';
import { type RealEngines, startRealEngines } from '../support/real-engines.js';
import { ServiceProcesses } from '../support/service-processes.js';
import { testSettings } from '../support/system.js';

jest.setTimeout(240_000);

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
}

let engines: RealEngines;
beforeAll(async () => {
  engines = await startRealEngines();
});
afterAll(() => engines?.dispose());

async function examine(environment: Record<string, string>) {
  const { code, out } = await latchkey(['doctor', '--json'], { environment });
  const failed = (JSON.parse(out) as Finding[]).filter(({ status }) => status === 'failed');
  return { code, failed: failed.map(({ check, detail }) => `${check}: ${detail}`), out };
}

test('F14 six processes: well as they start; a queue that differs and an index that is gone are named', async () => {
  const addresses = await engines.fresh();
  const processes = await ServiceProcesses.create({ ...testSettings, ...addresses });
  try {
    await processes.start();
    const environment = { ...testSettings, ...addresses, DATA_DIR: processes.dataDir };
    const well = await examine(environment);
    expect([well.code, well.failed]).toEqual([0, []]);
    expect(well.out).toMatch(/answers; \d+ queues as expected/);
    await processes.end();

    const client = await new mongoose.mongo.MongoClient(addresses.MONGODB_URI).connect();
    const name = /\/(\w+)$/.exec(addresses.MONGODB_URI)?.[1];
    await client.db(`${name}_user`).collection('users').dropIndex('emailKey_1');
    await client.close();
    const broker = await connect(addresses.AMQP_URL);
    const channel = await broker.createChannel();
    await channel.deleteQueue('mailer.send-receipt');
    await channel.assertQueue('mailer.send-receipt', { durable: true });
    await broker.close();
    const ill = await examine(environment);
    expect(ill.code).toBe(1);
    expect(ill.failed).toEqual([
      expect.stringContaining('user.users lacks {"emailKey":1}'),
      expect.stringContaining('mailer.send-receipt'),
    ]);
  } finally {
    await processes.dispose();
  }
});

test('engines that cannot be reached are named, each with its own advice', async () => {
  const { code, failed } = await examine({
    MONGODB_URI: 'mongodb://127.0.0.1:1/x',
    AMQP_URL: 'amqp://latchkey:word@127.0.0.1:1',
    DATA_DIR: '/nowhere/at/all',
  });
  expect(code).toBe(1);
  expect(failed.map((line) => line.split(':')[0])).toEqual(['database', 'database', 'database', 'database', 'broker']);
});
