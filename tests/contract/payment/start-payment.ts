import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindings, type Message, paymentApi, type User } from '@latchkey/contracts';
import { openEmbeddedQueue } from '@latchkey/embedded';
import { type CallContext, createClient, createLogger, createMetrics, directTransport, Problem } from '@latchkey/kit';
import {
  createPayment,
  createPaymentProcessor,
  createStripeProvider,
  type PaymentConfig,
  type PaymentOptions,
} from '@latchkey/payment';
import { createStripeSimulator } from '@latchkey/sandbox';
import express from 'express';
import Stripe from 'stripe';
import { openTestDatabase } from '../../support/test-database.js';
import { type ScriptedStripe, scriptedStripe } from './scripted-stripe.js';

export const WEBHOOK_SECRET = 'whsec_test_secret_of_the_payment_suite';
export const API_KEY = 'sk_test_payment_suite';

export interface StartOptions {
  readonly config?: Partial<PaymentConfig>;
  readonly crashPoint?: PaymentOptions['crashPoint'];
  readonly webhookSecrets?: readonly string[];
  readonly timeoutMs?: number;
  /** Webhooks of the simulator reach us. Default: they do not. */
  readonly delivers?: boolean;
  /** Default: started. */
  readonly processor?: boolean;
  readonly dataDir?: string;
}

/** The payment API and its processor over embedded engines, with the simulator behind a scripted connection. */
export async function startPayment(o: StartOptions = {}) {
  const dataDir = o.dataDir ?? mkdtempSync(join(tmpdir(), 'latchkey-payment-'));
  let offset = 0;
  const clock = { now: () => Date.now() + offset };
  const logger = createLogger({ service: 'payment', level: 'silent' });
  const app = express();
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const simulator = createStripeSimulator({
    dataDir,
    clock,
    logger,
    webhookUrl: `${origin}/webhook/${o.delivers ? 'stripe' : 'nowhere'}`,
    webhookSecret: WEBHOOK_SECRET,
    apiKey: API_KEY,
  });
  app.use('/simulator', simulator.router);
  const wire: ScriptedStripe = await scriptedStripe(() => `${origin}/simulator`);
  const connection = await openTestDatabase({ file: join(dataDir, 'payment.db'), clock });
  const queue = openEmbeddedQueue({ file: join(dataDir, 'queue.db'), bindings, clock, logger, pollMs: 20 });
  const provider = createStripeProvider({
    secretKey: API_KEY,
    webhookSecrets: o.webhookSecrets ?? [WEBHOOK_SECRET],
    apiUrl: wire.url,
    ...(o.timeoutMs !== undefined && { timeoutMs: o.timeoutMs }),
  });
  const users = new Map<number, User>();
  const options: PaymentOptions = {
    config: {
      publicUrl: 'https://shop.example.org',
      checkoutReturnUrl: undefined,
      productsCacheTtl: 60,
      reconcileInterval: 3600,
      billingOnDelete: 'cancel-now',
      retentionDays: 30,
      rateLimitScale: 1,
      ...o.config,
    },
    logger,
    clock,
    connection,
    queue,
    provider,
    users: { findUserById: async ({ params }) => ({ user: users.get(Number(params.user_id)) ?? null }) },
    ...(o.crashPoint && { crashPoint: o.crashPoint }),
  };
  const payment = createPayment(options);
  const metrics = createMetrics('payment-processor');
  const processor = o.processor === false ? undefined : createPaymentProcessor({ ...options, metrics });
  const client = createClient(paymentApi, directTransport({ routes: () => payment.routes, clock }));

  /** As the gateway does it: the bytes as they came, in base64. */
  const deliver = async (payload: Buffer | string, signature: string | null, name = 'stripe') => {
    try {
      const body = { payload_base64: Buffer.from(payload).toString('base64'), signature };
      await client.receiveWebhook({ params: { provider: name }, body }, context());
      return { status: 200, code: null };
    } catch (error) {
      if (error instanceof Problem) return { status: error.status, code: error.code };
      throw error;
    }
  };
  app.post('/webhook/:provider', express.raw({ type: () => true }), async (request, response) => {
    const { status } = await deliver(
      request.body,
      request.get('stripe-signature') ?? null,
      String(request.params.provider),
    );
    response.status(status).end();
  });

  function context(given: { address?: string; userId?: number } = {}): CallContext {
    const principal =
      given.userId === undefined ? null : { userId: given.userId, role: 'member' as const, sessionId: 'a'.repeat(32) };
    const client = { address: given.address ?? '203.0.113.7', userAgent: null, languages: 'de, en;q=0.5' };
    return { requestId: 'request-1', deadline: clock.now() + 20_000, principal, client };
  }

  const received: Message[] = [];
  await queue.start();
  for (const binding of [bindings.sendReceipt, bindings.sendPaymentFailed, bindings.linkCustomer]) {
    await queue.consume(binding.queue, {
      prefetch: 10,
      onDead: async () => undefined,
      async onDelivery({ body }) {
        received.push(JSON.parse(Buffer.from(body).toString()));
        return { kind: 'done' };
      },
    });
  }
  await payment.start();
  await processor?.start();
  await simulator.start();
  const stripe = new Stripe(API_KEY, {
    host: '127.0.0.1',
    port: new URL(wire.url).port,
    protocol: 'http',
    maxNetworkRetries: 0,
  });

  return {
    dataDir,
    clock,
    origin,
    wire,
    connection,
    queue,
    users,
    client,
    context,
    deliver,
    received,
    metrics,
    processor,
    provider,
    stripe,
    turnClock: (seconds: number) => {
      offset += seconds * 1000;
    },
    events: (name: string) => received.filter((message) => message.name === name),
    control: async (body: object) => {
      const answer = await fetch(`${origin}/simulator/controls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as { held: { id: string; type: string }[] };
    },
    /** Presses a button of the payment page. */
    press: async (url: string, action: string, email = 'buyer@example.org') =>
      fetch(url.replace(/^https?:\/\/[^/]+/, origin), {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ action, email }),
      }),
    async stop({ keep = false } = {}) {
      await processor?.stop();
      await payment.stop();
      await simulator.stop();
      await queue.stop();
      await connection.close();
      provider.close();
      await wire.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type TestPayment = Awaited<ReturnType<typeof startPayment>>;

export function someUser(id: number, changes: Partial<User> = {}): User {
  const at = new Date(0).toISOString();
  return {
    id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `user${id}@example.org`,
    password: null,
    password_reset_hash: null,
    payment_customer_id: null,
    role: 'member',
    deletedAt: null,
    createdAt: at,
    updatedAt: at,
    ...changes,
  };
}

/** The refusal of a call. */
export async function refusal(work: Promise<unknown>): Promise<Problem> {
  const outcome = await work.then(
    () => new Error('it was not refused'),
    (error) => error,
  );
  if (!(outcome instanceof Problem)) throw outcome;
  return outcome;
}
