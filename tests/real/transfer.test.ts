// A standalone installation carried to RabbitMQ and a server of MongoDB's wire protocol, and six processes that go on with it.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { eventually } from '../support/eventually.js';
import { latchkey } from '../support/latchkey-command.js';
import { Mailbox, resetLinkOf } from '../support/mailbox.js';
import { systemOf } from '../support/process-system.js';
import { type RealEngines, startRealEngines } from '../support/real-engines.js';
import { ServiceProcesses } from '../support/service-processes.js';
import { pressOnPaymentPage, priceOf } from '../support/shopper.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { testSettings } from '../support/system.js';

jest.setTimeout(300_000);

let engines: RealEngines;
let standalone: StandaloneProcess;
let processes: ServiceProcesses | undefined;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-transfer-'));
  [engines, standalone] = await Promise.all([startRealEngines(), StandaloneProcess.create()]);
});
afterAll(async () => {
  await processes?.dispose();
  await standalone?.dispose();
  await engines?.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const password = 'correct horse battery';
const person = (email: string) => ({ email, first_name: 'Grace', last_name: 'Hopper', password });

/** Every document of every database, counted. */
async function countDocuments(uri: string): Promise<number> {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  const name = /\/(\w+)$/.exec(uri)?.[1];
  let count = 0;
  for (const service of ['auth', 'user', 'payment', 'mailer']) {
    const database = client.db(`${name}_${service}`);
    for (const { name: collection } of await database.listCollections().toArray())
      if (collection !== 'latchkey_import') count += await database.collection(collection).countDocuments();
  }
  await client.close();
  return count;
}

test('users, sessions, links, a mail that was not sent, a checkout that was not paid: all of it goes on', async () => {
  await standalone.start();
  const admin = standalone.client();
  await admin.post('/login', standalone.adminCredentials);
  const { body: made } = await admin.post('/user', person('grace@example.net'));
  await admin.post('/user', person('linked@example.net'));
  const mailbox = new Mailbox(`http://127.0.0.1:${standalone.environment.MAILER_PORT}/mailbox`);
  const client = standalone.client();
  await client.post('/reset-password', { email: 'linked@example.net' });
  const link = resetLinkOf(await mailbox.waitFor('linked@example.net', /reset/i));
  const session = standalone.client();
  await session.post('/login', { email: 'grace@example.net', password });
  const cookie = `access_token=${await session.token()}`;
  const { body: bought } = await client.get(`/checkout?price=${await priceOf(client)}`);
  // From here on no mail gets out, so that one is still to be sent.
  await standalone.terminate();
  await standalone.start({ SMTP_URL: 'smtp://127.0.0.1:1' });
  expect((await standalone.client().post('/reset-password', { email: standalone.adminCredentials.email })).status).toBe(
    200,
  );
  const archive = join(folder, 'export.tar.gz');
  const environment = { ...standalone.environment, PUBLIC_URL: `http://localhost:${standalone.environment.PORT}` };
  expect(await latchkey(['export', archive], { environment })).toMatchObject({
    code: 1,
    err: expect.stringContaining('is running'),
  });
  await standalone.kill();
  const exported = await latchkey(['export', archive], { environment });
  expect(exported).toMatchObject({ code: 0, err: '' });
  expect(statSync(archive).mode & 0o777).toBe(0o600);

  const addresses = await engines.fresh();
  const settings = join(folder, 'settings');
  const carry = (signal?: AbortSignal) =>
    latchkey(['import', archive, '--settings', settings], { environment: addresses, ...(signal && { signal }) });
  // Killed while it waits for the broker, with part of it done: the same command goes on.
  await engines.broker.stop();
  const kill = new AbortController();
  const broken = carry(kill.signal);
  await eventually('the first documents', async () => (await countDocuments(addresses.MONGODB_URI)) > 0, 60_000);
  kill.abort();
  expect((await broken).code).not.toBe(0);
  await engines.broker.start();
  const imported = await carry();
  expect(imported).toMatchObject({ code: 0, err: '' });
  const documents = Number(/Imported (\d+) documents/.exec(imported.out)?.[1]);
  expect(exported.out).toContain(`Wrote ${documents} documents`);
  expect(await countDocuments(addresses.MONGODB_URI)).toBe(documents);
  expect(await carry()).toMatchObject({ code: 1, err: expect.stringContaining('Not empty') });
  const file = readFileSync(join(settings, 'latchkey.env'), 'utf8');
  for (const name of [
    'JWT_PRIVATE_KEYS',
    'PASSWORD_PEPPER',
    'SEALING_KEY',
    'SERVICE_SECRET',
    'MONGODB_URI',
    'AMQP_URL',
  ])
    expect(file).toContain(`${name}_FILE=${settings}`);
  expect(statSync(join(settings, 'secrets', 'password-pepper')).mode & 0o777).toBe(0o600);

  const given = Object.fromEntries(
    file
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>;
  processes = await ServiceProcesses.create({ ...testSettings, ...given }, settings);
  await processes.start();
  const system = systemOf(processes);
  await system.loggedIn({ email: 'grace@example.net', password });
  const who = await system.client().get('/session', { headers: { cookie } });
  expect([who.status, who.body?.user?.id]).toEqual([200, made.user.id]);
  await system.mailbox.waitFor(standalone.adminCredentials.email, /reset/i);
  expect((await system.client().post('/change-password', { ...link, password: 'another horse entirely' })).status).toBe(
    200,
  );
  await system.loggedIn({ email: 'linked@example.net', password: 'another horse entirely' });
  const page = new URL(bought.checkout.url);
  page.port = new URL(processes.urlOf('SANDBOX_PORT')).port;
  await pressOnPaymentPage(page.toString(), 'pay', 'buyer@example.net');
  await system.mailbox.waitFor('buyer@example.net', /receipt/i);
  const { body: paid } = await system.client().get(`/checkout/${bought.checkout.id}`);
  expect(paid.checkout.status).toBe('paid');
});
