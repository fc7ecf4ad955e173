import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@latchkey/kit';
import express, { type Request, type Response, type Router } from 'express';
import { billingOperations } from './api/billing.js';
import { sessionOperations } from './api/checkout-sessions.js';
import { customerOperations } from './api/customers.js';
import { eventOperations } from './api/events.js';
import type { Operation } from './api/operation.js';
import { productOperations } from './api/products.js';
import { ApiError } from './api-error.js';
import { expand } from './expand.js';
import type { FaultPlan } from './fault-plan.js';
import { type Form, list, parseForm } from './form-body.js';
import { API_VERSION, newId, type World } from './world.js';

const KEY_LIFETIME_MS = 24 * 3600 * 1000;

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly replayed?: boolean;
}

/** Stripe's API, as much of it as its SDK needs here: form-encoded in, JSON out, bearer keys, idempotency keys, Stripe's errors. */
export function apiRouter(o: {
  world: World;
  faults: FaultPlan;
  apiKey?: string;
  publicUrl?: string;
  logger: Logger;
}): Router {
  const { world, faults } = o;
  const router = express.Router();
  router.use('/v1', express.text({ type: () => true, limit: '256kb' }));

  const serve = (run: Operation[2]) => async (request: Request, response: Response) => {
    const fault = faults.next(request.path);
    if (fault?.latencyMs) await wait(fault.latencyMs);
    if (fault?.closeConnection === 'before') return void request.socket.destroy();
    const answer = fault?.status === undefined ? perform(request, run) : failure(fault.status);
    if (fault?.closeConnection === 'after') return void request.socket.destroy();
    send(request, response, answer);
  };

  function perform(request: Request, run: Operation[2]): Answer {
    try {
      authenticate(request, o.apiKey);
      const form = parseForm(request.method === 'POST' ? bodyOf(request) : queryOf(request));
      const call = { form, id: String(request.params.id ?? ''), base: o.publicUrl ?? baseOf(request) };
      const body = once(request, () => expand(run(call), expansions(form), world.store));
      return body;
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, body: { error: error.error } };
      o.logger.error({ err: error }, 'the simulator failed');
      return failure(500);
    }
  }

  /** The effect and the answer kept for its key are one change. */
  function once(request: Request, work: () => object): Answer {
    const id = request.method === 'POST' ? request.get('idempotency-key') : undefined;
    if (id === undefined) return { status: 200, body: world.store.change(work) };
    const fingerprint = createHash('sha256')
      .update(`${request.path}\n${bodyOf(request)}`)
      .digest('hex');
    const kept = world.store.get('keptAnswer', id);
    if (kept !== undefined && world.clock.now() - kept.at < KEY_LIFETIME_MS) {
      if (kept.fingerprint === fingerprint) return { status: kept.status, body: kept.body, replayed: true };
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${id}'.`;
      throw new ApiError(400, { type: 'idempotency_error', message });
    }
    return world.store.change(() => {
      const body = work();
      world.store.put('keptAnswer', { id, fingerprint, status: 200, body, at: world.clock.now() });
      return { status: 200, body };
    });
  }

  const operations = [productOperations, customerOperations, sessionOperations, billingOperations, eventOperations];
  for (const [method, path, run] of operations.flatMap((of) => of(world))) {
    const on = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;
    router[on[method]](path, serve(run));
  }
  router.use('/v1', (request, response) => {
    const message = `Unrecognized request URL (${request.method}: ${request.originalUrl.split('?')[0]}).`;
    send(request, response, { status: 404, body: { error: { type: 'invalid_request_error', message } } });
  });
  return router;
}

function authenticate(request: Request, apiKey: string | undefined): void {
  const [scheme, value = ''] = (request.get('authorization') ?? '').split(' ');
  const given = scheme?.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value;
  if (!given || (apiKey !== undefined && given !== apiKey)) {
    const message = given ? 'Invalid API Key provided' : 'You did not provide an API key.';
    throw new ApiError(401, { type: 'invalid_request_error', message });
  }
}

function send(request: Request, response: Response, { status, body, replayed }: Answer): void {
  const key = request.get('idempotency-key');
  response.status(status).set({
    'Request-Id': newId('req', 14),
    'Stripe-Version': request.get('stripe-version') ?? API_VERSION,
    'Cache-Control': 'no-cache, no-store',
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(replayed && { 'Idempotent-Replayed': 'true' }),
  });
  response.json(body);
}

function failure(status: number): Answer {
  return { status, body: { error: { type: 'api_error', message: 'The simulator was told to fail.' } } };
}

const bodyOf = (request: Request) => (typeof request.body === 'string' ? request.body : '');
const queryOf = (request: Request) => request.url.split('?')[1] ?? '';
const baseOf = (request: Request) => `${request.protocol}://${request.get('host')}${request.baseUrl}`;
const expansions = (form: Form) => list(form, 'expand').map(String);
