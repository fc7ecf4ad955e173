import { defineEndpoint } from '@latchkey/contracts';
import { z } from 'zod';
import type { CallContext } from '../call-context.js';
import { systemClock } from '../clock.js';
import { createServiceServer } from '../http/service-server.js';
import { createLogger } from '../logger.js';
import { type Handler, type Route, route, type Transport } from '../route.js';
import type { Service } from '../service.js';
import { directTransport } from './direct-transport.js';
import { httpTransport } from './http-transport.js';

const base = { summary: 'test', tag: 'test', access: 'service', refusals: [] } as const;
export const api = {
  echo: defineEndpoint({
    ...base,
    method: 'POST',
    path: '/items/:id/echo',
    params: z.strictObject({ id: z.string().max(50) }),
    query: z.strictObject({ limit: z.string().transform(Number).default(50), q: z.string().optional() }),
    body: z.strictObject({ text: z.string(), note: z.string().optional() }),
    success: {
      status: 201,
      description: 'What arrived',
      body: z.object({ id: z.string(), limit: z.number(), q: z.string().nullable(), text: z.string() }),
    },
  }),
  context: defineEndpoint({
    ...base,
    method: 'GET',
    path: '/context',
    success: { status: 200, description: 'Context', body: z.looseObject({ requestId: z.string() }) },
  }),
  fail: defineEndpoint({
    ...base,
    method: 'DELETE',
    path: '/fail',
    success: { status: 200, description: 'Never', body: z.object({ ok: z.boolean() }) },
  }),
};

export const context = (overrides: Partial<CallContext> = {}): CallContext => ({
  requestId: 'request-0001',
  deadline: Date.now() + 5000,
  principal: { userId: 7, role: 'member', sessionId: 'ab'.repeat(16) },
  client: { address: '192.0.2.1', userAgent: 'Müller/1 "x"', languages: 'de-DE,en;q=0.5' },
  ...overrides,
});

const logger = createLogger({ service: 'test', level: 'silent' });
const secret = 'a secret that only the two of them know';

export type Rows = {
  echo?: Handler<typeof api.echo>;
  context?: Handler<typeof api.context>;
  fail?: Handler<typeof api.fail>;
};
/** Makes a transport to a service with these handlers. */
export type SetUp = (rows: Rows) => Promise<Transport>;

const routesOf = (rows: Rows): Route[] => [
  route(
    api.echo,
    rows.echo ?? (async ({ params, query, body }) => ({ ...query, q: query.q ?? null, ...params, text: body.text })),
  ),
  route(api.context, rows.context ?? (async (_input, { requestId }) => ({ requestId }))),
  ...(rows.fail ? [route(api.fail, rows.fail)] : []),
];

const running: (() => Promise<void>)[] = [];

/** Stops what `overHttp` started. */
export async function stopAll(): Promise<void> {
  for (const stop of running.splice(0).reverse()) await stop();
}

export const overHttp: SetUp = async (rows) => {
  const none = async () => {};
  const service: Service = { name: 'test', start: none, stop: none, routes: routesOf(rows), checks: [] };
  const where = { host: '127.0.0.1', port: 0 };
  const settings = { clock: systemClock, serviceSecrets: [secret], bodyLimit: 10_000 };
  const server = createServiceServer({ service, logger, ...where, ...settings });
  await server.start();
  const baseUrls = [`http://127.0.0.1:${server.port}`];
  const transport = httpTransport({ baseUrls, caller: 'gateway', audience: 'test', secret, clock: systemClock });
  running.push(
    () => server.stop(),
    () => transport.stop(),
  );
  return transport;
};
export const direct: SetUp = async (rows) => {
  const routes = routesOf(rows);
  return directTransport({ routes: () => routes, clock: systemClock });
};
