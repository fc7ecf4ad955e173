import type { ServiceHealth } from '@latchkey/contracts';
import { FakeServices } from './testing/fake-services.js';
import { startGateway } from './testing/start-gateway.js';

describe('general limit', () => {
  test('the request past 600 a minute is 429 with the limit and Retry-After, before anything else is looked at', async () => {
    const gateway = await startGateway({ rateLimitScale: 0.01 });
    const paths = ['/session', '/nothing', '/user', '/user/1', '/session', '/session'];
    for (const path of paths) expect((await gateway.request('GET', path)).status).not.toBe(429);
    for (const path of ['/session', '/nothing']) {
      const answer = await gateway.request('GET', path);
      expect(answer.status).toBe(429);
      expect(answer.body).toMatchObject({ code: 'rate-limited', limit: 'requests-per-address', retry_after: 60 });
      expect(answer.headers['retry-after']).toBe('60');
    }
    for (const path of ['/health', '/livez', '/readyz']) {
      expect([path, (await gateway.request('GET', path)).status]).toEqual([path, 200]);
    }
    expect((await gateway.request('GET', '/assets/of-an-earlier-release.js')).status).toBe(404);
    gateway.services.now += 60_000;
    expect((await gateway.request('GET', '/session')).status).toBe(401);
    await gateway.stop();
  });

  test('S20 a made-up X-Forwarded-For makes nobody new, and is warned about once', async () => {
    const gateway = await startGateway({ rateLimitScale: 0.01 });
    const statuses: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${i}` };
      statuses.push((await gateway.request('GET', '/session', { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    expect(gateway.log.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1);
    await gateway.stop();
  });

  test('S20 behind a trusted proxy clients are told apart by what it adds, and nothing they write counts', async () => {
    const gateway = await startGateway({ rateLimitScale: 0.01, trustProxy: 1 });
    const ask = async (forwardedFor: string) =>
      (await gateway.request('GET', '/session', { headers: { 'x-forwarded-for': forwardedFor } })).status;
    for (let i = 0; i < 6; i += 1) expect(await ask(`${i}.1.1.1, 203.0.113.1`)).toBe(401);
    expect(await ask('9.9.9.9, 203.0.113.1')).toBe(429);
    expect(await ask('203.0.113.2')).toBe(401);
    await gateway.request('POST', '/login', {
      body: { email: 'a@b.example', password: 'right' },
      headers: { 'x-forwarded-for': '203.0.113.3' },
    });
    expect(gateway.services.called('auth.logIn')[0]?.context.client.address).toBe('203.0.113.3');
    await gateway.stop();
  });
});

describe('health', () => {
  const ok: ServiceHealth = { status: 'ok', checks: { database: { status: 'ok' } } };
  const degraded: ServiceHealth = { status: 'degraded', checks: { smtp: { status: 'degraded' } } };
  const down: ServiceHealth = { status: 'down', checks: { database: { status: 'down' } } };

  test.each<[string, () => Promise<ServiceHealth>, number, string]>([
    ['ok', async () => ok, 200, 'ok'],
    ['degraded', async () => degraded, 200, 'degraded'],
    ['down', async () => down, 503, 'down'],
    ['failing to answer', async () => Promise.reject(new Error('ECONNREFUSED 10.0.0.1')), 503, 'down'],
  ])('a service that is %s', async (_name, mailer, status, overall) => {
    const gateway = await startGateway();
    Object.assign(gateway.health, { auth: async () => ok, mailer });
    const answer = await gateway.request('GET', '/health');
    expect([answer.status, answer.body.status]).toEqual([status, overall]);
    expect(answer.body.services).toMatchObject({ auth: ok, mailer: { status: overall } });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.text).not.toContain('10.0.0.1');
    await gateway.stop();
  });

  test('a service that never answers is down after 2 s, and does not keep a probe waiting longer', async () => {
    const gateway = await startGateway();
    Object.assign(gateway.health, { auth: async () => ok, user: () => new Promise(() => undefined) });
    const began = Date.now();
    const answer = await gateway.request('GET', '/health');
    expect([answer.status, answer.body.services.user.status]).toEqual([503, 'down']);
    expect(Date.now() - began).toBeLessThan(4_000);
    await gateway.stop();
  });

  test('a flood of health checks asks each service once a second, and never waits for a session', async () => {
    const gateway = await startGateway();
    let asked = 0;
    gateway.health.auth = async () => {
      asked += 1;
      return ok;
    };
    gateway.services.authDown = true;
    const { headers } = gateway.services.session();
    await Promise.all(Array.from({ length: 50 }, () => gateway.request('GET', '/health', { headers })));
    expect(asked).toBe(1);
    gateway.services.now += 1_000;
    await gateway.request('GET', '/health');
    expect(asked).toBe(2);
    expect(gateway.services.called('auth.introspectSession')).toHaveLength(0);
    await gateway.stop();
  });

  test('it starts without auth, takes requests, and is well as soon as auth is', async () => {
    const services = new FakeServices();
    services.authDown = true;
    const gateway = await startGateway({}, services);
    const { headers } = services.session();
    expect((await gateway.request('GET', '/readyz')).status).toBe(200);
    expect((await gateway.request('GET', '/session', { headers })).status).toBe(503);
    services.authDown = false;
    expect((await gateway.request('GET', '/session', { headers })).status).toBe(200);
    await gateway.stop();
  });
});

test('S26 the access log has the route, the status and who, and no secret', async () => {
  const gateway = await startGateway();
  const { headers, token } = gateway.services.session();
  await gateway.request('GET', '/user/7?deleted=false', { headers });
  await gateway.request('POST', '/change-password', {
    body: { reset_token: 'ab', user_id: 7, password: 'hunter2 hunter2' },
  });
  const lines = gateway.log.join('');
  expect(lines).toMatch(/"route":"\/user\/:id","status":200/);
  expect(lines).toContain('"principalId":7');
  expect(lines).not.toContain(token);
  expect(lines).not.toContain('hunter2');
  await gateway.stop();
});
