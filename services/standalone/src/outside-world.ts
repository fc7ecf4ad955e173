import type { Clock, Component, Logger } from '@latchkey/kit';
import { createSmtpTransport, type MailTransport } from '@latchkey/mailer';
import { createStripeProvider, type PaymentProvider } from '@latchkey/payment';
import type { StandaloneConfig } from './config.js';
import { deferredTransport } from './deferred-transport.js';
import { type Mounted, openMailbox, openPaymentSimulator } from './stand-ins.js';

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
  const { mailbox, mounted } = openMailbox({ dataDir: host.dataDir, clock, loggerFor });
  return {
    mailTransport: deferredTransport(() => createSmtpTransport({ url: `smtp://127.0.0.1:${mailbox.smtpPort}`, clock })),
    components: [mailbox],
    mailerRouters: [mounted],
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
  const simulator = openPaymentSimulator({
    dataDir: host.dataDir,
    clock,
    loggerFor,
    gatewayUrl: `http://127.0.0.1:${gateway.port}`,
  });
  const paymentProvider = createStripeProvider({
    secretKey: simulator.secretKey,
    webhookSecrets: [simulator.webhookSecret],
    apiUrl: `http://127.0.0.1:${host.paymentPort}${simulator.mounted.path}`,
  });
  return {
    paymentProvider,
    components: [closing(paymentProvider), simulator.component],
    paymentRouters: [simulator.mounted],
  };
}
