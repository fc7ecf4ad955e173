import type { Clock, Component, Logger } from '@latchkey/kit';
import { createSmtpTransport, type MailTransport } from '@latchkey/mailer';
import { createStripeProvider, type PaymentProvider } from '@latchkey/payment';
import { createMailbox, createStripeSimulator } from '@latchkey/sandbox';
import type { Router } from 'express';
import type { StandaloneConfig } from './config.js';
import { deferredTransport } from './deferred-transport.js';
import { keepSecret } from './secrets.js';

/** A page of a stand-in, mounted on the port of the service that uses it. */
export interface Mounted {
  readonly path: string;
  readonly router: Router;
}

/** Mail server and payment provider: the real ones when they are configured, else what stands in for them. */
export interface OutsideWorld {
  readonly mailTransport: MailTransport;
  readonly paymentProvider: PaymentProvider;
  /** Started before the services. */
  readonly components: readonly Component[];
  readonly mailerRouters: readonly Mounted[];
  readonly paymentRouters: readonly Mounted[];
}

export function openOutsideWorld(o: {
  config: StandaloneConfig;
  clock: Clock;
  loggerFor: (service: string) => Logger;
}): OutsideWorld {
  const mail = openMail(o);
  const payments = openPayments(o);
  return { ...mail, ...payments, components: [...mail.components, ...payments.components] };
}

type Given = Parameters<typeof openOutsideWorld>[0];

function openMail({ config: { host }, clock, loggerFor }: Given) {
  if (host.smtpUrl) {
    return { mailTransport: createSmtpTransport({ url: host.smtpUrl, clock }), components: [], mailerRouters: [] };
  }
  const mailbox = createMailbox({ dataDir: host.dataDir, logger: loggerFor('mailbox'), clock });
  return {
    mailTransport: deferredTransport(() => createSmtpTransport({ url: `smtp://127.0.0.1:${mailbox.smtpPort}`, clock })),
    components: [mailbox],
    mailerRouters: [{ path: '/mailbox', router: mailbox.router }],
  };
}

function openPayments({ config, clock, loggerFor }: Given) {
  const { host, gateway } = config;
  const closing = (provider: { close(): void }): Component => ({
    name: 'payment provider',
    start: async () => undefined,
    stop: async () => provider.close(),
  });
  if (host.stripeSecretKey) {
    const paymentProvider = createStripeProvider({
      secretKey: host.stripeSecretKey,
      webhookSecrets: host.stripeWebhookSecrets ?? [],
      ...(host.stripeApiUrl && { apiUrl: host.stripeApiUrl }),
    });
    return { paymentProvider, components: [closing(paymentProvider)], paymentRouters: [] };
  }
  const webhookSecret = keepSecret(host.dataDir, 'stripe-simulator-webhook-secret');
  const secretKey = 'sk_test_simulator';
  const simulator = createStripeSimulator({
    dataDir: host.dataDir,
    clock,
    logger: loggerFor('stripe-simulator'),
    webhookUrl: `http://127.0.0.1:${gateway.port}/webhook/stripe`,
    webhookSecret,
    apiKey: secretKey,
  });
  const paymentProvider = createStripeProvider({
    secretKey,
    webhookSecrets: [webhookSecret],
    apiUrl: `http://127.0.0.1:${host.paymentPort}/simulator`,
  });
  return {
    paymentProvider,
    components: [closing(paymentProvider), simulator],
    paymentRouters: [{ path: '/simulator', router: simulator.router }],
  };
}
