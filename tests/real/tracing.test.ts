// The compiled standalone process, and the six of them on RabbitMQ and a server of MongoDB's wire protocol, with a collector of the test's own.
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { startRealEngines } from '../support/real-engines.js';
import { ServiceProcesses } from '../support/service-processes.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { adminCredentials, testSettings } from '../support/system.js';

jest.setTimeout(180_000);

interface Traced {
  readonly url: string;
  log(): string;
  dispose(): Promise<void>;
}

async function startStandalone(settings: Record<string, string>): Promise<Traced> {
  const system = await StandaloneProcess.create({ ...testSettings, ...settings });
  await system.start();
  return system;
}

async function startSix(settings: Record<string, string>): Promise<Traced> {
  const engines = await startRealEngines();
  const system = await ServiceProcesses.create({ ...testSettings, ...(await engines.fresh()), ...settings });
  await system.start();
  return {
    url: system.url,
    log: () => system.log(),
    async dispose() {
      await system.dispose();
      await engines.dispose();
    },
  };
}

let collector: OtlpReceiver;
let sink: SmtpSink;
let system: Traced;

const find = (wanted: (span: ReceivedSpan) => boolean) =>
  eventually('a span', () => collector.spans.find(wanted), 60_000);

/** From the span up to the one that nothing caused. */
async function lineageOf(span: ReceivedSpan): Promise<ReceivedSpan[]> {
  const { parentSpanId, traceId } = span;
  if (parentSpanId === undefined) return [span];
  const parent = await find((one) => one.spanId === parentSpanId && one.traceId === traceId);
  return [span, ...(await lineageOf(parent))];
}

const kinds = { server: 2, producer: 4, consumer: 5 };

describe.each([
  { kind: 'standalone', start: startStandalone, services: ['standalone'] },
  { kind: 'six processes', start: startSix, services: ['mailer', 'auth', 'gateway'] },
])('$kind', ({ start, services }) => {
  beforeAll(async () => {
    collector = new OtlpReceiver();
    sink = new SmtpSink();
    await Promise.all([collector.start(), sink.start()]);
    system = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20of%20the%20test,x-team=accounts',
      SMTP_URL: sink.url,
    });
  });
  afterAll(async () => {
    await system?.dispose();
    await Promise.all([collector?.stop(), sink?.stop()]);
  });

  test('S48 one trace leads from the reset request to the SMTP answer, and holds no secret and no address', async () => {
    const user = { email: 'traced.person@example.net', password: 'correct horse battery' };
    const admin = new ApiClient(system.url);
    expect((await admin.post('/login', adminCredentials)).status).toBe(200);
    expect((await admin.post('/user', { ...user, first_name: 'Grace', last_name: 'Hopper' })).status).toBe(201);
    const client = new ApiClient(system.url);
    expect((await client.post('/login', user)).status).toBe(200);
    const headers = { 'x-request-id': 'reset-of-the-test' };
    expect((await client.post('/reset-password', { email: user.email }, { headers })).status).toBe(200);
    const mail = await eventually('the mail', () => sink.to(user.email).at(-1), 60_000);
    const token = /reset_token=([0-9a-f]+)/.exec(mail.text)?.[1] as string;

    const request = await find(({ name, kind }) => name === 'POST /reset-password' && kind === kinds.server);
    const sent = await find(({ name, traceId }) => name === 'SMTP send' && traceId === request.traceId);
    const lineage = await lineageOf(sent);
    expect(lineage.at(-1)).toMatchObject({ name: 'POST /reset-password', parentSpanId: undefined });
    expect([...new Set(lineage.map(({ service }) => service))]).toEqual(services);
    const names = lineage.map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual([
      'SMTP send',
      'deliver password-reset',
      'process mailer.send-password-reset',
      'send latchkey.events',
    ]);
    expect(sent.attributes).toMatchObject({ 'smtp.response.code': '250', 'latchkey.outcome': 'accepted' });
    const [, , consumed, published] = lineage;
    expect([consumed?.kind, published?.kind]).toEqual([kinds.consumer, kinds.producer]);
    expect(published?.attributes).toMatchObject({
      'messaging.destination.name': 'latchkey.events',
      'messaging.rabbitmq.destination.routing_key': 'auth.password-reset-requested.v1',
      'messaging.message.conversation_id': 'reset-of-the-test',
    });
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/reset-password',
      'http.response.status_code': 200,
    });

    // By the log one finds the trace, by the mail the request.
    const logged = system
      .log()
      .split('\n')
      .filter((line) => line.includes(`"trace_id":"${request.traceId}"`));
    expect(logged.some((line) => line.includes('"msg":"mail sent"'))).toBe(true);
    expect(logged.some((line) => line.includes('"route":"/reset-password"') && line.includes('"msg":"request"'))).toBe(
      true,
    );
    const { body } = await admin.get('/mails');
    expect(body.mails[0].request_id).toBe('reset-of-the-test');

    const cookie = await client.token();
    for (const secret of [user.email, 'traced.person', token, user.password, String(cookie), 'eyJ', '$2']) {
      expect(collector.raw.includes(secret)).toBe(false);
    }
  });

  test('a request is told apart by its route; a refusal is no failure, and an outside trace is continued', async () => {
    const traceId = 'ab'.repeat(16);
    const headers = { traceparent: `00-${traceId}-${'cd'.repeat(8)}-01` };
    expect((await new ApiClient(system.url).get('/user/id-of-someone', { headers })).status).toBe(401);
    const span = await find((one) => one.traceId === traceId);
    expect(span).toMatchObject({ name: 'GET /user/:id', failed: false, parentSpanId: 'cd'.repeat(8) });
    expect(collector.raw).not.toContain('id-of-someone');
  });

  test('the collector is given its headers', async () => {
    await find(() => true);
    expect(collector.calls[0]).toMatchObject({
      path: '/v1/traces',
      headers: { authorization: 'Basic of the test', 'x-team': 'accounts' },
    });
  });
});
