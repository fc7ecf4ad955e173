import { defineEndpoint, type HealthCheck } from '@latchkey/contracts';
import express from 'express';
import { z } from 'zod';
import type { CallContext } from '../call-context.js';
import { systemClock } from '../clock.js';
import { createLogger } from '../logger.js';
import { type Handler, route } from '../route.js';
import type { Service } from '../service.js';
import { createServiceTokenSigner } from '../service-token.js';
import { caller, eventually } from './endpoint-router.fixture.js';
import type { Listener } from './listener.js';
import { createServiceServer } from './service-server.js';

const show = defineEndpoint({
  method: 'GET',
  path: '/things/:id',
  summary: 'test',
  tag: 'test',
  access: 'service',
  params: z.strictObject({ id: z.string() }),
  success: { status: 200, description: 'ok', body: z.object({ user: z.number().nullable(), left: z.number() }) },
  refusals: [],
});

const secret = 'the secret that services share, long enough';
const logger = createLogger({ service: 'test', level: 'silent' });
const sign = createServiceTokenSigner({ caller: 'gateway', audience: 'auth', secret, clock: systemClock });
const context: CallContext = {
  requestId: 'request-0001',
  deadline: 0,
  principal: { userId: 7, role: 'member', sessionId: null },
  client: { address: '::1', userAgent: null, languages: null },
};

let database: () => Promise<HealthCheck>;
let handle: Handler<typeof show>;
let server: Listener;
let started: boolean;
const router = express.Router().get('/', (_request, response) => void response.json({ mails: 0 }));

beforeEach(async () => {
  started = true;
  database = async () => ({ status: 'ok' });
  handle = async (_input, { principal, deadline }) => ({
    user: principal?.userId ?? null,
    left: deadline - Date.now(),
  });
  const nothing = async () => {};
  server = createServiceServer({
    service: {
      name: 'auth',
      start: nothing,
      stop: nothing,
      routes: [route(show, (...call) => handle(...call))],
      checks: [
        { name: 'database', critical: true, run: () => database() },
        { name: 'broker', critical: false, run: async () => ({ status: 'down', detail: 'connection refused' }) },
      ],
    },
    logger,
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
    serviceSecrets: [secret],
    bodyLimit: 1000,
    routers: [{ path: '/mailbox', router }],
    started: () => started,
  });
  await server.start();
});
afterEach(() => server.stop());

const call: ReturnType<typeof caller> = (...request) => caller(server)(...request);
const authorization = () => `Bearer ${sign(context)}`;

test('S74 routes are behind the service token, whatever the path of an existing route', async () => {
  const refused = await call('GET', '/things/1');
  expect([refused.status, refused.body.code]).toEqual([401, 'service-token-rejected']);
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer /);
  const { status, body, headers } = await call('GET', '/things/1', { headers: { authorization: authorization() } });
  expect([status, body.user]).toEqual([200, 7]);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
});

test('the caller’s deadline and request id are taken over when they are well-formed', async () => {
  const ask = async (headers: Record<string, string>) =>
    call('GET', '/things/1', { headers: { authorization: authorization(), ...headers } });
  const given = await ask({ 'latchkey-deadline': '3000', 'x-request-id': 'abcdefgh-1' });
  expect(given.body.left).toBeLessThanOrEqual(3000);
  expect(given.headers.get('x-request-id')).toBe('abcdefgh-1');
  const odd = await ask({ 'latchkey-deadline': '-1', 'x-request-id': 'short' });
  expect(odd.body.left).toBeGreaterThan(9000);
  expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
});

test('a router of the service’s own is open', async () => {
  expect((await call('GET', '/mailbox')).body).toEqual({ mails: 0 });
});

test('/health is degraded when something uncritical is away, /readyz and /livez stay well', async () => {
  const { status, body } = await call('GET', '/health');
  expect([status, body]).toEqual([
    200,
    {
      status: 'degraded',
      checks: { database: { status: 'ok' }, broker: { status: 'down', detail: 'connection refused' } },
    },
  ]);
  expect((await call('GET', '/readyz')).status).toBe(200);
  expect((await call('GET', '/livez')).body).toEqual({ status: 'ok' });
});

test('F17 a critical check that fails makes it down and not ready, yet alive; what failed is not told', async () => {
  database = () => Promise.reject(new Error('mongodb://user:hunter2@db refused'));
  const { status, text, body } = await call('GET', '/health');
  expect([status, body.status]).toEqual([503, 'down']);
  expect(text).not.toContain('hunter2');
  expect((await call('GET', '/readyz')).status).toBe(503);
  expect((await call('GET', '/livez')).status).toBe(200);
});

test('F17 a late service is live and answers 503 until it is there', async () => {
  const nothing = async () => {};
  let current: Service | undefined;
  const late = createServiceServer({
    service: { name: 'auth', current: () => current },
    ...{ logger, clock: systemClock, host: '127.0.0.1', port: 0, serviceSecrets: [secret], bodyLimit: 1000 },
  });
  await late.start();
  const ask = caller(late);
  const headers = { authorization: authorization() };
  try {
    expect((await ask('GET', '/livez')).status).toBe(200);
    expect((await ask('GET', '/readyz')).status).toBe(503);
    expect((await ask('GET', '/health')).body.status).toBe('down');
    const early = await ask('GET', '/things/1', { headers });
    expect([early.status, early.body.code]).toEqual([503, 'service-unavailable']);
    current = {
      name: 'auth',
      start: nothing,
      stop: nothing,
      routes: [route(show, (...args) => handle(...args))],
      checks: [],
    };
    expect((await ask('GET', '/readyz')).status).toBe(200);
    expect((await ask('GET', '/things/1', { headers })).status).toBe(200);
  } finally {
    await late.stop();
  }
});

test('/readyz waits for the whole process', async () => {
  started = false;
  expect((await call('GET', '/readyz')).status).toBe(503);
});

test('/metrics tells durations by route pattern and status, and of the process', async () => {
  await call('GET', '/things/42', { headers: { authorization: authorization() } });
  await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    expect(text).toMatch(
      /http_request_duration_seconds_count\{service="auth",method="GET",route="\/things\/:id",status="200"\} 1|http_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200",service="auth"\} 1/,
    );
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain('/things/42');
  });
});

test('F6 a stop refuses new connections and finishes requests under way', async () => {
  let finish = () => {};
  let begun = () => {};
  const underWay = new Promise<void>((resolve) => (begun = resolve));
  handle = () =>
    new Promise((resolve) => {
      finish = () => resolve({ user: 1, left: 0 });
      begun();
    });
  const answer = call('GET', '/things/1', { headers: { authorization: authorization() } });
  await underWay;
  const { port } = server;
  const stopped = server.stop();
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
  finish();
  expect((await answer).status).toBe(200);
  expect((await answer).headers.get('connection')).toBe('close');
  await stopped;
});
