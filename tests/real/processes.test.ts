// The six compiled processes under their supervisor, on RabbitMQ and a server of MongoDB's wire protocol.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.js';
import { resetLinkOf } from '../support/mailbox.js';
import { processNames as names } from '../support/process-entries.js';
import { systemOf } from '../support/process-system.js';
import { type RealEngines, startRealEngines } from '../support/real-engines.js';
import { ServiceProcesses } from '../support/service-processes.js';
import { pressOnPaymentPage, priceOf } from '../support/shopper.js';
import { type System, testSettings } from '../support/system.js';

jest.setTimeout(180_000);

const migrateMain = resolve(__dirname, '../../services/standalone/dist/migrate.main.js');
let engines: RealEngines;
let processes: ServiceProcesses | undefined;

beforeAll(async () => {
  engines = await startRealEngines();
});
afterEach(async () => {
  await processes?.dispose();
  processes = undefined;
});
afterAll(() => engines?.dispose());

async function create(settings: Record<string, string> = testSettings): Promise<ServiceProcesses> {
  processes = await ServiceProcesses.create({ ...(await engines.fresh()), ...settings });
  return processes;
}

const lives = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const lastPids = (these: ServiceProcesses) => names.map((name) => these.pidsOf(name).at(-1) as number);
const allGone = (pids: readonly number[]) => eventually('the end of all', () => !pids.some(lives), 20_000);

/** Login, reset, mail, change, logout: through every service but payment, and through the broker. */
async function accountFlow(system: System): Promise<void> {
  const user = await system.givenUser({ password: 'correct horse battery', email: `flow${Date.now()}@example.net` });
  const client = await system.loggedIn(user);
  expect((await client.post('/reset-password', { email: user.email })).status).toBe(200);
  const link = resetLinkOf(await system.mailbox.waitFor(user.email, /reset/i));
  const password = 'another horse entirely';
  expect((await client.post('/change-password', { ...link, password })).status).toBe(200);
  await system.mailbox.waitFor(user.email, /changed/i);
  const again = await system.loggedIn({ email: user.email, password });
  expect((await again.get('/logout')).status).toBe(401);
  expect((await again.get('/session')).status).toBe(401);
}

async function purchase(system: System, email: string): Promise<void> {
  const client = system.client();
  const { body } = await client.get(`/checkout?price=${await priceOf(client)}`);
  await pressOnPaymentPage(body.checkout.url, 'pay', email);
  await system.mailbox.waitFor(email, /receipt/i);
}

test('F1 F2 F3 F4 F5 kill -9 of each process in turn: the supervisor starts it again, and nothing needs a hand', async () => {
  const these = await create();
  await these.start();
  const system = systemOf(these);
  await accountFlow(system);
  await purchase(system, 'buyer0@example.net');
  for (const [at, name] of names.entries()) {
    const pid = these.pidsOf(name).at(-1) as number;
    process.kill(pid, 'SIGKILL');
    await eventually(`another ${name}`, () => these.pidsOf(name).at(-1) !== pid, 20_000);
    await eventually(`a ready ${name}`, () => these.isReady(name), 30_000);
    await eventually(`a healthy system after the death of ${name}`, () => these.isHealthy(), 30_000);
    await accountFlow(system);
    await purchase(system, `buyer${at + 1}@example.net`);
  }
});

test('F6 SIGTERM ends all of them gracefully; what was there is there after the next start', async () => {
  const these = await create();
  await these.start();
  const user = await systemOf(these).givenUser({ password: 'correct horse battery' });
  const pids = lastPids(these);
  expect(await these.end()).toBe(0);
  await allGone(pids);
  expect(these.log().match(/"msg":"stopped"/g)).toHaveLength(names.length + 1);
  expect(these.log()).not.toMatch(/did not stop in time|failed to stop/);
  await these.start();
  await systemOf(these).loggedIn(user);
});

test('F1 kill -9 of the supervisor leaves no process behind', async () => {
  const these = await create();
  await these.start();
  const pids = lastPids(these);
  await these.end('SIGKILL');
  await allGone(pids);
});

test('F17 they start before database and broker, and are ready when those have come', async () => {
  await engines.database.kill();
  await engines.broker.stop();
  // A fresh virtual host can only be made on a broker that runs.
  const settings = { ...testSettings, MONGODB_URI: `${engines.database.uri}/late`, AMQP_URL: engines.broker.url };
  processes = await ServiceProcesses.create(settings);
  const these = processes;
  these.spawn();
  const isLive = (port: 'AUTH_PORT' | 'USER_PORT' | 'PAYMENT_PORT' | 'PROCESSOR_PORT' | 'MAILER_PORT') =>
    fetch(`${these.urlOf(port)}/livez`).then(
      ({ status }) => status === 200,
      () => false,
    );
  for (const port of ['AUTH_PORT', 'USER_PORT', 'PAYMENT_PORT', 'PROCESSOR_PORT', 'MAILER_PORT'] as const) {
    await eventually(`${port} is live`, () => isLive(port), 30_000);
    expect((await fetch(`${these.urlOf(port)}/readyz`)).status).toBe(503);
  }
  expect(await these.isHealthy()).toBe(false);
  await engines.database.start();
  // Without a broker they serve already: what they have to tell waits in their outboxes (F8).
  await eventually('health without the broker', () => these.isHealthy(), 60_000);
  const user = await eventually(
    'the first admin',
    () =>
      systemOf(these)
        .givenUser({ password: 'correct horse' })
        .catch(() => false as const),
    30_000,
  );
  const system = systemOf(these);
  expect((await system.client().post('/reset-password', { email: user.email })).status).toBe(200);
  await engines.broker.start();
  await eventually('the mail that waited', async () => (await system.mailbox.to(user.email)).length > 0, 60_000);
  expect(these.pidsOf('auth')).toHaveLength(1);
});

test('P16 with BUILD_INDEXES=off they wait for the migration, which says what it did, and build nothing themselves', async () => {
  const these = await create({ ...testSettings, BUILD_INDEXES: 'off' });
  these.spawn();
  await eventually('refusals', () => these.output().split('run the migration first').length > names.length, 60_000);
  expect(await these.isHealthy()).toBe(false);
  const env = { PATH: process.env.PATH, MONGODB_URI: these.databaseUri };
  const migrate = () => promisify(execFile)(process.execPath, [migrateMain], { env });
  expect((await migrate()).stdout.match(/"built":[1-9]/g)).toHaveLength(4);
  expect((await migrate()).stdout.match(/"built":0,/g)).toHaveLength(4);
  await eventually('health without a hand', () => these.isHealthy(), 60_000);
  await accountFlow(systemOf(these));
});

test('S25 the first admin and its password are made and printed once', async () => {
  const { ADMIN_EMAIL: _email, ADMIN_PASSWORD: _password, ...settings } = testSettings;
  const these = await create(settings);
  await these.start();
  const password = /Its password +(\S+)/.exec(these.output())?.[1];
  expect(password).toEqual(expect.any(String));
  await systemOf(these).loggedIn({ email: 'admin@latchkey.localhost', password: password as string });
  expect(these.output().split(password as string)).toHaveLength(2);
  await these.end();
  const before = these.output().length;
  await these.start();
  expect(these.output().slice(before)).toContain('Latchkey is running.');
  expect(these.output().slice(before)).not.toContain('Its password');
});
