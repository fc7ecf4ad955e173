// Two of every process on RabbitMQ and a server of MongoDB's wire protocol.
import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';
import { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { type RealEngines, startRealEngines } from '../../support/real-engines.js';
import { Replicas } from '../../support/replicas.js';
import { RoamingClient } from '../../support/roaming-client.js';
import { pressOnPaymentPage, priceOf } from '../../support/shopper.js';
import { adminCredentials } from '../../support/system.js';

jest.setTimeout(240_000);

let engines: RealEngines;
let replicas: Replicas;
let one: ApiClient;
let other: ApiClient;

beforeAll(async () => {
  engines = await startRealEngines();
  // Refresh and reconciling often enough to be seen; limits as they are.
  replicas = await Replicas.start(engines, { RECONCILE_INTERVAL: '1', RATE_LIMIT_SCALE: '1' });
  const [first, second] = replicas.gatewayUrls;
  one = new ApiClient(first as string);
  other = new ApiClient(second as string);
});
afterAll(async () => {
  await replicas?.dispose();
  await engines?.dispose();
});

const everywhere = () => new RoamingClient(replicas.gatewayUrls);
const mailTo = (address: string, subject: RegExp) =>
  eventually(
    `a mail to ${address}`,
    () => replicas.sink.to(address).find((mail) => subject.test(mail.subject)),
    60_000,
  );

async function givenUser(email: string): Promise<void> {
  const admin = everywhere();
  expect((await admin.post('/login', adminCredentials)).status).toBe(200);
  const body = { email, first_name: 'Grace', last_name: 'Hopper', password: 'correct horse battery' };
  expect((await admin.post('/user', body)).status).toBe(201);
}

test('F36 S25 of two user services that start at once, one makes the first admin', async () => {
  const admin = everywhere();
  expect((await admin.post('/login', adminCredentials)).status).toBe(200);
  const { body } = await admin.get('/user?q=root');
  expect(body.users).toHaveLength(1);
});

test('F36 S38 a session ended on one gateway is over on the other one second later', async () => {
  await givenUser('two.gateways@example.net');
  const credentials = { email: 'two.gateways@example.net', password: 'correct horse battery' };
  expect((await one.post('/login', credentials)).status).toBe(200);
  const cookie = `access_token=${await one.token()}`;
  const asked = { headers: { cookie } };
  expect((await other.get('/session', asked)).status).toBe(200);
  expect((await one.get('/logout', asked)).status).toBe(401);
  const endedAt = performance.now();
  expect((await one.get('/session', asked)).status).toBe(401);
  // What is asked later than a second after the end is refused, however slow the machine: a yes is good for a second from when auth was asked.
  await eventually('a refusal by the other gateway', async () => {
    const sentAt = performance.now();
    const { status } = await other.get('/session', asked);
    if (status === 200 && sentAt - endedAt > 1_000) throw new Error('it was still taken after a second');
    return status === 401;
  });
});

test('F36 both gateways show the same keys', async () => {
  const sets = await Promise.all([one, other].map(async (client) => (await client.get('/.well-known/jwks.json')).text));
  expect(sets[0]).toBe(sets[1]);
});

test('S22 F36 a limit is counted by all instances together', async () => {
  const ask = (at: number) => (at % 2 ? other : one).post('/reset-password', { email: `nobody${at}@example.net` });
  for (let at = 0; at < 30; at += 1) expect((await ask(at)).status).toBe(200);
  for (const at of [30, 31]) {
    const refused = await ask(at);
    expect([refused.status, refused.body.limit]).toEqual([429, 'resets-per-address']);
  }
});

test('O3 F36 each event of two relays is delivered once', async () => {
  const admin = everywhere();
  expect((await admin.post('/login', adminCredentials)).status).toBe(200);
  const addresses = Array.from({ length: 20 }, (_, at) => `invited${at}@example.net`);
  await Promise.all(addresses.map((email) => admin.post('/user', { email, first_name: 'Grace', last_name: 'Hopper' })));
  for (const address of addresses) await mailTo(address, /./);
  const delivered = async (label: string) => {
    const counts = await Promise.all(
      replicas.all.map((replica) =>
        replica.name === 'gateway' ? 0 : replica.metric('latchkey_deliveries_total', `queue="${label}",outcome="done"`),
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  expect(await delivered('mailer.send-invitation')).toBe(addresses.length);
  for (const address of addresses) expect(replicas.sink.to(address)).toHaveLength(1);
});

test('F36 two reconcilers settle a checkout whose webhook never comes, with one receipt', async () => {
  await control({ hold: true });
  const shopper = everywhere();
  const { body } = await shopper.get(`/checkout?price=${await priceOf(shopper)}`);
  await pressOnPaymentPage(body.checkout.url, 'pay', 'reconciled@example.net');
  await mailTo('reconciled@example.net', /receipt/i);
  // The webhook comes after all, twice.
  await control({ duplicate: 1, hold: false, release: 'in-order' });
  await eventually('the end of the webhooks', async () => (await control({})).pending === 0, 60_000);
  await eventually('both to be applied', async () => (await depthsAreEmpty()) === true, 60_000);
  expect(replicas.sink.to('reconciled@example.net')).toHaveLength(1);
  await control({ duplicate: 0 });
});

test('F36 a change of products is shown by every instance, whichever took the webhook', async () => {
  const { body } = await one.get('/products');
  const { id } = body.products[0];
  await fetch(`${replicas.simulatorUrl}/v1/products/${id}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_simulated', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ name: 'Under another name' }),
  });
  for (let at = 0; at < 4; at += 1) {
    const client = at % 2 ? one : other;
    await eventually(
      'the new name',
      async () => (await client.get('/products')).text.includes('Under another name'),
      50_000,
    );
  }
});

test('F36 messages of an older and of a newer version are taken side by side', async () => {
  const base = { userId: 7, name: 'Grace', languages: null, changedAt: new Date().toISOString() };
  const publish = async (email: string, payload: object, envelope: object) => {
    const id = randomUUID();
    const message = {
      id,
      name: 'auth.password-changed.v1',
      aggregateId: '7',
      sequence: 1,
      occurredAt: new Date().toISOString(),
      correlationId: 'request-of-another-version',
      payload: { ...base, to: email, ...payload },
      ...envelope,
    };
    const connection = await connect(replicas.amqpUrl);
    const channel = await connection.createConfirmChannel();
    channel.publish('latchkey.events', message.name, Buffer.from(JSON.stringify(message)), {
      persistent: true,
      mandatory: true,
      messageId: id,
    });
    await channel.waitForConfirms();
    await connection.close();
  };
  // Without what came later, and with what may come yet.
  await publish('older@example.net', { changedFrom: null }, {});
  await publish(
    'newer@example.net',
    { changedFrom: null, changedWith: { device: 'phone' } },
    { shard: 3, traceparent: 7 },
  );
  await mailTo('older@example.net', /changed/i);
  await mailTo('newer@example.net', /changed/i);
});

async function control(wanted: object): Promise<{ pending: number }> {
  const response = await fetch(`${replicas.simulatorUrl}/controls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  });
  return (await response.json()) as { pending: number };
}

async function depthsAreEmpty(): Promise<boolean> {
  const connection = await connect(replicas.amqpUrl);
  try {
    const channel = await connection.createChannel();
    const { messageCount } = await channel.checkQueue('payment.apply-stripe-event');
    return messageCount === 0;
  } finally {
    await connection.close();
  }
}
