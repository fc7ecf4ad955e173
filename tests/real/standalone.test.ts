// The one process of `npm start` on real engines: on the way from one machine to many, either of them may come first.
import { Mailbox, resetLinkOf } from '../support/mailbox.js';
import { type EngineSettings, type RealEngines, startRealEngines } from '../support/real-engines.js';
import { pressOnPaymentPage, priceOf } from '../support/shopper.js';
import { StandaloneProcess } from '../support/standalone-process.js';

jest.setTimeout(180_000);

let engines: RealEngines;
let standalone: StandaloneProcess | undefined;
beforeAll(async () => {
  engines = await startRealEngines();
});
afterEach(async () => {
  await standalone?.dispose();
  standalone = undefined;
});
afterAll(() => engines?.dispose());

const without = (settings: EngineSettings, name: keyof EngineSettings) => {
  const { [name]: _left, ...others } = settings;
  return others as Record<string, string>;
};

test.each([
  ['both', (fresh: EngineSettings) => fresh, /Database +MongoDB.*Queue +RabbitMQ/s],
  ['the database', (fresh: EngineSettings) => without(fresh, 'AMQP_URL'), /Database +MongoDB.*Queue +SQLite/s],
  ['the broker', (fresh: EngineSettings) => without(fresh, 'MONGODB_URI'), /Database +SQLite.*Queue +RabbitMQ/s],
])('F2 accounts and payments on %s, and all of it is there after a kill -9', async (_which, choose, announced) => {
  standalone = await StandaloneProcess.create(choose(await engines.fresh()));
  await standalone.start();
  const mailbox = new Mailbox(`http://127.0.0.1:${standalone.environment.MAILER_PORT}/mailbox`);
  const admin = standalone.client();
  expect((await admin.post('/login', standalone.adminCredentials)).status).toBe(200);
  const email = 'grace@example.net';
  const person = { email, first_name: 'Grace', last_name: 'Hopper', password: 'correct horse battery' };
  expect((await admin.post('/user', person)).status).toBe(201);
  expect((await standalone.client().post('/reset-password', { email })).status).toBe(200);
  const link = resetLinkOf(await mailbox.waitFor(email, /reset/i));

  await standalone.kill();
  await standalone.start();
  expect(standalone.log()).toMatch(announced);
  const password = 'another horse entirely';
  expect((await standalone.client().post('/change-password', { ...link, password })).status).toBe(200);
  const client = standalone.client();
  expect((await client.post('/login', { email, password })).status).toBe(200);
  const { body } = await client.get(`/checkout?price=${await priceOf(client)}`);
  await pressOnPaymentPage(body.checkout.url, 'pay', email);
  await mailbox.waitFor(email, /receipt/i);
});
