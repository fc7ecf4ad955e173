import { connect } from 'node:net';
import { defineEndpoint } from '@latchkey/contracts';
import express from 'express';
import { z } from 'zod';
import type { CallContext } from '../call-context.js';
import { createLogger } from '../logger.js';
import { type Exchange, route } from '../route.js';
import { accessLog } from './access-log.js';
import { createEndpointRouter } from './endpoint-router.js';
import { inTurn } from './in-turn.js';
import { createListener } from './listener.js';

const base = { summary: 'test', tag: 'test', access: 'session', refusals: [] } as const;
const anything = z.record(z.string(), z.unknown());
const ok = { status: 200, description: 'ok', body: anything };
const params = z.strictObject({ id: z.string().regex(/^\d+$/) });
export const api = {
  show: defineEndpoint({ ...base, method: 'GET', path: '/user/:id', params, success: ok }),
  list: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/user',
    query: z.strictObject({ q: z.string().optional() }),
    success: ok,
  }),
  create: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/user',
    body: z.strictObject({ email: z.string() }),
    success: { ...ok, status: 201 },
  }),
  update: defineEndpoint({ ...base, method: 'PUT', path: '/user/:id', params, body: z.strictObject({}), success: ok }),
  hook: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/webhook',
    rawBody: true,
    bodyLimit: 5000,
    success: { ...ok, body: z.object({ hex: z.string() }) },
  }),
  fail: defineEndpoint({ ...base, method: 'GET', path: '/fail', success: ok }),
};

export const contextOf = (overrides: Partial<CallContext> = {}): CallContext => ({
  requestId: 'request-0001',
  deadline: Date.now() + 5000,
  principal: { userId: 7, role: 'member', sessionId: null },
  client: { address: '127.0.0.1', userAgent: null, languages: null },
  ...overrides,
});

/** An app with a few endpoints that echo their input; `GET /fail` does what `onFail` says. Its body limit is 1000 bytes. */
export function createApp() {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  const behaviour = {
    lines,
    calls: 0,
    authorize: (): CallContext | Promise<CallContext> => contextOf(),
    onFail: async (_context: CallContext, _exchange: Exchange): Promise<Record<string, unknown>> => ({}),
  };
  const echo = async (input: unknown) => {
    behaviour.calls += 1;
    return input as Record<string, unknown>;
  };
  const app = express().disable('x-powered-by');
  app.use('/assets', () => {
    throw Object.assign(new Error('broken path'), { status: 400 });
  });
  const options = { bodyLimit: 1000, authorize: () => behaviour.authorize(), logger };
  // Has a part of the routes and hands on the rest, methods of its own paths included.
  app.use(createEndpointRouter({ ...options, routes: [route(api.show, echo)], fallThrough: true }));
  app.use(
    createEndpointRouter({
      ...options,
      routes: [
        route(api.show, async () => ({ reached: 'the second router' })),
        route(api.list, echo),
        route(api.create, echo),
        route(api.update, echo),
        route(api.hook, async (_input, _context, { rawBody }) => ({ hex: rawBody.toString('hex') })),
        route(api.fail, (_input, context, exchange) => behaviour.onFail(context, exchange)),
      ],
    }),
  );
  const listener = createListener({
    name: 'test',
    app: inTurn(logger, accessLog({ logger }), app),
    host: '127.0.0.1',
    port: 0,
    stopLimit: 0.2,
  });
  return { behaviour, listener, call: caller(listener), raw: rawCaller(listener) };
}

export const jsonHeaders = { 'content-type': 'application/json' };

/** {@link createApp}, served while the tests of a file run and itself again before each of them; `post` sends a body to `POST /user`. */
export function serveApp() {
  const app = createApp();
  beforeAll(() => app.listener.start());
  afterAll(() => app.listener.stop());
  beforeEach(() => {
    app.behaviour.authorize = () => contextOf();
    app.behaviour.onFail = async () => ({});
    app.behaviour.lines.length = 0;
    app.behaviour.calls = 0;
  });
  const post = (body: CallInit['body'] & {}, headers: Record<string, string> = jsonHeaders) =>
    app.call('POST', '/user', { headers, body });
  return { ...app, post };
}

export interface CallInit {
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export const caller =
  (listener: { readonly port: number }) =>
  async (method: string, path: string, init: CallInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, { method, redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
  };

/** Sends bytes of our own making (chunked, cut short, not HTTP at all) and gives all that comes back until the connection closes. */
export const rawCaller = (listener: { readonly port: number }) => (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let answer = '';
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });

/** Asks again and again until `condition` no longer throws, for three seconds. */
export async function eventually(condition: () => void | Promise<void>): Promise<void> {
  const deadline = performance.now() + 3000;
  for (;;) {
    try {
      return await condition();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
