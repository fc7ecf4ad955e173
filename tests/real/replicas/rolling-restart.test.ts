// Each of twelve processes is stopped and started again, one after the other, while clients go on.
import { eventually } from '../../support/eventually.js';
import { processNames } from '../../support/process-entries.js';
import { type RealEngines, startRealEngines } from '../../support/real-engines.js';
import { Replicas } from '../../support/replicas.js';
import { RoamingClient } from '../../support/roaming-client.js';
import { pressOnPaymentPage, priceOf } from '../../support/shopper.js';
import { adminCredentials } from '../../support/system.js';

jest.setTimeout(600_000);

let engines: RealEngines;
let replicas: Replicas;

beforeAll(async () => {
  engines = await startRealEngines();
  replicas = await Replicas.start(engines, { RECONCILE_INTERVAL: '2' });
});
afterAll(async () => {
  await replicas?.dispose();
  await engines?.dispose();
});

/** What clients were told: everything that was answered with success must have its effect, once. */
interface Ledger {
  /** Every answer that no client should see, with what was asked. */
  readonly wrong: string[];
  readonly changed: string[];
  readonly paid: string[];
  readonly created: string[];
}

const password = 'correct horse battery';

async function mailTo(address: string, subject: RegExp) {
  const find = () =>
    replicas.sink
      .to(address)
      .filter((mail) => subject.test(mail.subject))
      .at(-1);
  return eventually(`a mail to ${address} about ${subject}`, find, 120_000);
}

/** Made, logged in, seen, reset by mail, changed, logged in again, logged out. */
async function live(email: string, admin: RoamingClient, first: number, ledger: Ledger): Promise<void> {
  const client = new RoamingClient(replicas.gatewayUrls, first);
  const expecting = (what: string, got: number, ...wanted: number[]) => {
    if (!wanted.includes(got)) ledger.wrong.push(`${what} of ${email}: ${got}`);
  };
  const body = { email, first_name: 'Grace', last_name: 'Hopper', password };
  // 409: the answer to the first try was lost, and it had been done.
  expecting('POST /user', (await admin.post('/user', body)).status, 201, 409);
  ledger.created.push(email);
  expecting('POST /login', (await client.post('/login', { email, password })).status, 200);
  expecting('GET /session', (await client.get('/session')).status, 200);
  expecting('POST /reset-password', (await client.post('/reset-password', { email })).status, 200);
  const mail = await mailTo(email, /reset/i);
  const [, token, id] = /reset_token=([0-9a-f]+)&user_id=(\d+)/.exec(mail.text) as RegExpExecArray;
  const changing = { reset_token: token, user_id: Number(id), password: 'another horse entirely' };
  const before = client.sent;
  const change = await client.post('/change-password', changing);
  // A spent link: only where an answer was lost.
  expecting('POST /change-password', change.status, 200, ...(client.sent > before + 1 ? [400] : []));
  ledger.changed.push(email);
  const again = await client.post('/login', { email, password: changing.password });
  expecting('POST /login after the change', again.status, 200);
  expecting('GET /logout', (await client.get('/logout')).status, 401);
}

async function buy(email: string, first: number, ledger: Ledger): Promise<void> {
  const client = new RoamingClient(replicas.gatewayUrls, first);
  const answer = await client.get(`/checkout?price=${await priceOf(client)}`);
  if (answer.status !== 200)
    return void ledger.wrong.push(`GET /checkout of ${email}: ${answer.status} ${answer.text}`);
  await pressOnPaymentPage(answer.body.checkout.url, 'pay', email);
  ledger.paid.push(email);
}

test('F36 F6 a rolling restart under load: no error to a client that repeats as documented, nothing lost, nothing twice', async () => {
  const admin = new RoamingClient(replicas.gatewayUrls);
  expect((await admin.post('/login', adminCredentials)).status).toBe(200);
  const ledger: Ledger = { wrong: [], changed: [], paid: [], created: [] };
  let restarting = true;
  const worker = async (number: number) => {
    for (let turn = 0; restarting || turn === 0; turn += 1) {
      const name = `${number}.${turn}@example.net`;
      await live(`rolling${name}`, admin, number, ledger);
      await buy(`buyer${name}`, number, ledger);
    }
  };
  const workers = Promise.all([0, 1, 2, 3].map(worker));

  for (const name of processNames) {
    for (const replica of replicas.of(name)) {
      expect(await replica.end()).toBe(0);
      await replica.start();
    }
  }
  restarting = false;
  await workers;
  for (const email of ledger.changed) await mailTo(email, /changed/i);
  for (const email of ledger.paid) await mailTo(email, /receipt/i);

  expect(ledger.wrong).toEqual([]);
  expect(replicas.log()).not.toMatch(/did not stop in time|failed to stop|uncaught exception|unhandled rejection/);
  // Every mail once by its Message-ID, every fact once by its kind.
  const ids = replicas.sink.accepted.map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const email of ledger.changed) {
    expect(replicas.sink.to(email).filter(({ subject }) => /changed/i.test(subject))).toHaveLength(1);
  }
  for (const email of ledger.paid) expect(replicas.sink.to(email)).toHaveLength(1);
  const { body } = await admin.get('/user?q=rolling&limit=200');
  const emails = (body.users as { email: string }[]).map(({ email }) => email).sort();
  expect(emails).toEqual([...ledger.created].sort().slice(0, 200));
  expect((await admin.get('/dead-letters')).body.dead_letters).toEqual([]);
});
