// The six processes as they are composed for RabbitMQ and MongoDB, over HTTP with each other, here on embedded engines. tests/real runs the compiled ones.
import { type EmbeddedProcesses, openEmbeddedProcesses } from '../support/embedded-processes.js';
import { eventually } from '../support/eventually.js';
import { resetLinkOf } from '../support/mailbox.js';
import { processNames } from '../support/process-entries.js';
import { pressOnPaymentPage, priceOf } from '../support/shopper.js';

let system: EmbeddedProcesses;
beforeEach(async () => {
  system = await openEmbeddedProcesses();
});
afterEach(() => system.stop());

const statusOf = async (url: string) => (await fetch(url)).status;
const healthy = () => eventually('a healthy system', async () => (await statusOf(`${system.url}/health`)) === 200);
const adminIsThere = () => eventually('the first admin', () => /"outcome":"created"/.test(system.log()), 20_000);

async function startAll(): Promise<void> {
  await Promise.all(processNames.map((name) => system.start(name)));
  await adminIsThere();
  await healthy();
}

test('login, reset, mail, change, logout and a payment work across processes', async () => {
  await startAll();
  const user = await system.givenUser({ password: 'correct horse battery' });
  const client = await system.loggedIn(user);
  expect((await client.get(`/user/${user.id}`)).body.user.email).toBe(user.email);

  expect((await client.post('/reset-password', { email: user.email })).status).toBe(200);
  const link = resetLinkOf(await system.mailbox.waitFor(user.email, /reset/i));
  const password = 'another horse entirely';
  expect((await system.client().post('/change-password', { ...link, password })).status).toBe(200);
  await system.mailbox.waitFor(user.email, /changed/i);
  expect((await client.get('/session')).status).toBe(401);

  const again = await system.loggedIn({ email: user.email, password });
  const { body } = await again.get(`/checkout?price=${await priceOf(again)}`);
  await pressOnPaymentPage(body.checkout.url, 'pay', user.email);
  await system.mailbox.waitFor(user.email, /receipt/i);
  expect((await again.get('/logout')).status).toBe(401);
  expect((await again.get('/session')).status).toBe(401);
  // Each of them was asked, with the request id of the outside.
  const letters = await (await system.admin()).get('/dead-letters');
  expect([letters.status, letters.body.dead_letters]).toEqual([200, []]);
});

test('F17 a process is live without its database, answers 503, and is ready when the database comes', async () => {
  system.setDatabaseAway(true);
  const started = system.start('auth');
  const url = system.urlOf('auth');
  await eventually('a live process', () =>
    statusOf(`${url}/livez`)
      .then((status) => status === 200)
      .catch(() => false),
  );
  expect(await statusOf(`${url}/readyz`)).toBe(503);
  expect(await statusOf(`${url}/health`)).toBe(503);
  expect(await statusOf(`${url}/keys`)).toBe(503);
  system.setDatabaseAway(false);
  await started;
  expect(await statusOf(`${url}/readyz`)).toBe(200);
});

test('F17 a process that waits for its database stops when it is told to', async () => {
  system.setDatabaseAway(true);
  const started = system.start('mailer').catch((error: Error) => error.message);
  await eventually('a live process', () =>
    statusOf(`${system.urlOf('mailer')}/livez`)
      .then((status) => status === 200)
      .catch(() => false),
  );
  await system.stopOne('mailer');
  expect(await started).toBe('database did not start');
});

test('the order in which processes start does not matter', async () => {
  await system.start('gateway');
  expect(await statusOf(`${system.url}/livez`)).toBe(200);
  expect(await statusOf(`${system.url}/readyz`)).toBe(200);
  expect(await statusOf(`${system.url}/health`)).toBe(503);
  const refused = await system.client().post('/login', { email: 'root@example.com', password: 'first of all admins' });
  expect([refused.status, refused.body.code]).toEqual([503, 'service-unavailable']);
  // The user service cannot make the first admin before auth is there.
  for (const name of ['mailer', 'user', 'payment-processor', 'payment', 'auth'] as const) await system.start(name);
  await adminIsThere();
  await healthy();
  await system.admin();
});

test('a service that is away is a 503 of the gateway, and back as soon as it is', async () => {
  await startAll();
  const admin = await system.admin();
  await system.stopOne('user');
  const during = await admin.get('/user');
  expect([during.status, during.body.code]).toEqual([503, 'service-unavailable']);
  await eventually('the outage in the health', async () => {
    const { body } = await system.client().get('/health');
    return body.status === 'down' && body.services.user.status === 'down';
  });
  await system.start('user');
  expect((await admin.get('/user')).status).toBe(200);
});
