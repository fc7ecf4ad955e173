import { gzipSync } from 'node:zlib';
import { signWebhook } from '@latchkey/sandbox';
import { eventually } from '../../support/eventually.js';
import { refusal, startPayment, type TestPayment, WEBHOOK_SECRET } from './start-payment.js';

const NEXT_SECRET = 'whsec_the_next_one_during_a_rotation';
let shop: TestPayment;
beforeEach(async () => {
  shop = await startPayment({ webhookSecrets: [NEXT_SECRET, WEBHOOK_SECRET] });
});
afterEach(() => shop.stop());

const now = (seconds = 0) => Math.floor(shop.clock.now() / 1000) + seconds;
const eventBody = (id = 'evt_1', type = 'checkout.session.completed') =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    created: now(),
    data: { object: { id: 'cs_test_none', object: 'checkout.session' } },
  });
const signed = (body: string, at = now(), secret = WEBHOOK_SECRET) => signWebhook(body, secret, at);
const stored = async () => (await shop.client.listWebhookEvents({ query: {} }, shop.context())).webhook_events;

describe('S73 F28 what is not signed by the provider is 400 and leaves nothing behind', () => {
  const body = () => eventBody();
  const table: [string, () => [Buffer | string, string | null]][] = [
    ['an altered byte', () => [body().replace('evt_1', 'evt_2'), signed(body())]],
    ['an old timestamp', () => [body(), signed(body(), now(-301))]],
    ['P19 a timestamp to come', () => [body(), signed(body(), now(301))]],
    ['a wrong secret', () => [body(), signed(body(), now(), 'whsec_wrong')]],
    ['no header', () => [body(), null]],
    ['an empty header', () => [body(), '']],
    ['a header without a scheme', () => [body(), 'nonsense']],
    ['a header without a timestamp', () => [body(), signed(body()).replace(/^t=\d+/, 't=soon')]],
    ['gzip', () => [gzipSync(body()), signed(body())]],
    ['a byte order mark', () => [`\uFEFF${body()}`, signed(body())]],
    ['a byte order mark that was signed', () => [`\uFEFF${body()}`, signed(`\uFEFF${body()}`)]],
    ['a truncated body', () => [body().slice(0, -5), signed(body())]],
    ['an empty body', () => ['', signed('')]],
    ['bytes that are no UTF-8', () => [Buffer.from([0x7b, 0xff, 0x7d]), signed('{\uFFFD}')]],
  ];
  test.each(table)('%s', async (_name, make) => {
    const [payload, signature] = make();
    expect(await shop.deliver(payload, signature)).toEqual({ status: 400, code: 'webhook-signature-invalid' });
    expect(await stored()).toEqual([]);
  });
});

test('F28 a signed body that is no event is 400, never a 5xx', async () => {
  for (const body of [
    '{}',
    '[]',
    'null',
    'no json',
    '{"id":7,"type":"x","created":1}',
    '{"id":"evt_1","type":"x","created":1e300}',
  ])
    expect(await shop.deliver(body, signed(body))).toEqual({ status: 400, code: 'validation-failed' });
  expect(await stored()).toEqual([]);
});

test('F28 a body over the limit is 413', async () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'x', created: now(), filler: 'x'.repeat(300 * 1024) });
  const { status, code } = await shop.deliver(body, signed(body));
  expect([status, code]).toEqual([expect.anything(), expect.stringMatching(/body-too-large|validation-failed/)]);
  expect([400, 413]).toContain(status);
  const within = JSON.stringify({ id: 'evt_2', type: 'x', created: now(), filler: 'x'.repeat(250 * 1024) });
  expect(await shop.deliver(within, signed(within))).toMatchObject({ status: 200 });
});

test('F28 both secrets are taken during a rotation', async () => {
  const body = eventBody();
  expect(await shop.deliver(body, signed(body, now(), NEXT_SECRET))).toMatchObject({ status: 200 });
  expect(await shop.deliver(eventBody('evt_2'), signed(eventBody('evt_2')))).toMatchObject({ status: 200 });
});

test('P19 a timestamp 300 s away is taken, in both directions', async () => {
  for (const [id, away] of [
    ['evt_old', -299],
    ['evt_new', 299],
  ] as const)
    expect(await shop.deliver(eventBody(id), signed(eventBody(id), now(away)))).toMatchObject({ status: 200 });
});

test('another provider’s webhook is 404', async () => {
  expect(await shop.deliver(eventBody(), signed(eventBody()), 'paypal')).toEqual({ status: 404, code: 'not-found' });
});

test('F26 twenty parallel copies are twenty times 200 and one event', async () => {
  const body = eventBody();
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.deliver(body, signed(body))));
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  expect(await stored()).toHaveLength(1);
  expect(await shop.deliver(body, signed(body))).toMatchObject({ status: 200 });
});

test('F26 a copy that comes after three days is 200 and nothing new', async () => {
  await shop.deliver(eventBody(), signed(eventBody()));
  await eventually('it to be applied', async () => (await stored())[0]?.state === 'applied');
  shop.turnClock(3 * 24 * 3600);
  expect(await shop.deliver(eventBody(), signed(eventBody()))).toMatchObject({ status: 200 });
  expect((await stored())[0]).toMatchObject({ state: 'applied', attempts: 1 });
});

test('an unknown type is 200, kept and marked as ignored; so is a thin event of version 2', async () => {
  const body = eventBody('evt_odd', 'radar.something.new');
  expect(await shop.deliver(body, signed(body))).toMatchObject({ status: 200 });
  const thin = JSON.stringify({
    id: 'evt_thin',
    object: 'v2.core.event',
    type: 'v2.core.account.updated',
    created: '2026-11-01T00:00:00Z',
  });
  expect(await shop.deliver(thin, signed(thin))).toMatchObject({ status: 200 });
  // From the intake on: no message is queued for what nobody acts on.
  expect(await stored()).toMatchObject([
    { state: 'ignored', attempts: 0, applied_at: expect.any(String) },
    { state: 'ignored', attempts: 0, applied_at: expect.any(String) },
  ]);
});

test('F29 with the database away the answer is a 5xx in time; sent again, the event is stored', async () => {
  await shop.connection.close();
  const began = performance.now();
  const answer = await shop.deliver(eventBody(), signed(eventBody()));
  expect(answer).toEqual({ status: 503, code: 'service-unavailable' });
  expect(performance.now() - began).toBeLessThan(5000);
  const { dataDir } = shop;
  await shop.stop({ keep: true });
  shop = await startPayment({ dataDir });
  expect(await shop.deliver(eventBody(), signed(eventBody()))).toMatchObject({ status: 200 });
  expect(await stored()).toHaveLength(1);
});

test('F4 a process that dies before the event is stored has not answered; one that dies after it has the event', async () => {
  const places: string[] = [];
  let dyingAt = 'webhook.before-store';
  const dying = await startPayment({
    crashPoint: (place) => {
      places.push(place);
      if (place === dyingAt) throw new Error('crash');
    },
  });
  const body = eventBody();
  const send = () => dying.deliver(body, signWebhook(body, WEBHOOK_SECRET, now()));
  const events = async () => (await dying.client.listWebhookEvents({ query: {} }, dying.context())).webhook_events;
  expect(await send()).toMatchObject({ status: 500 });
  expect(await events()).toEqual([]);
  dyingAt = 'webhook.stored';
  expect(await send()).toMatchObject({ status: 500 });
  expect(await events()).toHaveLength(1);
  await eventually('the effect to follow all the same', async () => (await events())[0]?.state === 'applied');
  dyingAt = '';
  expect(await send()).toMatchObject({ status: 200 });
  await dying.stop();
});

test('admins list, look at and replay events', async () => {
  for (const id of ['evt_a', 'evt_b', 'evt_c']) {
    await shop.deliver(eventBody(id), signed(eventBody(id)));
    shop.turnClock(1);
  }
  await eventually('all to be applied', async () => (await stored()).every((event) => event.state === 'applied'));
  const first = await shop.client.listWebhookEvents({ query: { limit: '2' } }, shop.context());
  expect(first.webhook_events.map((event) => event.id)).toEqual(['evt_c', 'evt_b']);
  const rest = await shop.client.listWebhookEvents({ query: { limit: '2', after: first.next ?? '' } }, shop.context());
  expect(rest).toMatchObject({ webhook_events: [{ id: 'evt_a' }], next: null });
  expect((await refusal(shop.client.listWebhookEvents({ query: { after: 'x' } }, shop.context()))).status).toBe(400);

  const listed = async (query: { state?: 'applied' | 'failing'; request_id?: string }) =>
    (await shop.client.listWebhookEvents({ query }, shop.context())).webhook_events.map(({ id }) => id);
  expect(await listed({ state: 'applied' })).toEqual(['evt_c', 'evt_b', 'evt_a']);
  expect(await listed({ state: 'failing' })).toEqual([]);
  expect(await listed({ request_id: first.webhook_events[0]?.request_id as string })).toContain('evt_c');
  expect(await listed({ request_id: 'another-request' })).toEqual([]);

  await shop.client.replayWebhookEvent({ params: { id: 'evt_a' } }, shop.context());
  await eventually('it to be applied again', async () => {
    const { webhook_event } = await shop.client.showWebhookEvent({ params: { id: 'evt_a' } }, shop.context());
    return webhook_event.state === 'applied' && webhook_event.attempts === 2 && webhook_event.replays === 1;
  });
  expect((await refusal(shop.client.replayWebhookEvent({ params: { id: 'evt_none' } }, shop.context()))).code).toBe(
    'not-found',
  );
});

test('F24 an event that cannot be applied says why and holds up no other', async () => {
  jest.spyOn(shop.provider, 'retrieveSession').mockImplementation(async (id) => {
    if (id === 'cs_poison') throw new TypeError('poison');
    return null;
  });
  const poison = JSON.stringify({
    id: 'evt_poison',
    type: 'checkout.session.completed',
    created: now(),
    data: { object: { id: 'cs_poison' } },
  });
  await shop.deliver(poison, signed(poison));
  for (const id of ['evt_a', 'evt_b', 'evt_c']) await shop.deliver(eventBody(id), signed(eventBody(id)));
  await eventually(
    'the others to be applied',
    async () => (await stored()).filter((event) => event.state === 'applied').length === 3,
  );
  const { webhook_event } = await shop.client.showWebhookEvent({ params: { id: 'evt_poison' } }, shop.context());
  expect(webhook_event).toMatchObject({ state: 'failing', last_error: 'poison', attempts: expect.any(Number) });
});
