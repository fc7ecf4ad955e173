import type { Clock, Component, Logger } from '@latchkey/kit';
import { SIMULATOR_KEY } from '@latchkey/payment';
import { createMailbox, createStripeSimulator, type Mailbox } from '@latchkey/sandbox';
import type { Router } from 'express';
import { keepSecret } from './secrets.js';

interface Given {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly loggerFor: (service: string) => Logger;
}

/** A page of a stand-in, to be mounted on some server. */
export interface Mounted {
  readonly path: string;
  readonly router: Router;
}

/** What stands in for a mail server. */
export function openMailbox({ dataDir, clock, loggerFor }: Given): { mailbox: Mailbox; mounted: Mounted } {
  const mailbox = createMailbox({ dataDir, logger: loggerFor('mailbox'), clock });
  return { mailbox, mounted: { path: '/mailbox', router: mailbox.router } };
}

export interface PaymentStandIn {
  readonly component: Component;
  readonly mounted: Mounted;
  /** What payment needs to know, to take it for Stripe. */
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/** What stands in for Stripe. It sends its webhooks to `gatewayUrl`. */
export function openPaymentSimulator(
  o: Given & {
    readonly gatewayUrl: string;
    /** Default: made once and kept in the data folder. */
    readonly webhookSecret?: string | undefined;
    readonly publicUrl?: string | undefined;
    readonly hostNames?: readonly string[];
  },
): PaymentStandIn {
  const webhookSecret = o.webhookSecret ?? keepSecret(o.dataDir, 'stripe-simulator-webhook-secret');
  const secretKey = SIMULATOR_KEY;
  const simulator = createStripeSimulator({
    dataDir: o.dataDir,
    clock: o.clock,
    logger: o.loggerFor('stripe-simulator'),
    webhookUrl: `${o.gatewayUrl}/webhook/stripe`,
    webhookSecret,
    apiKey: secretKey,
    ...(o.publicUrl !== undefined && { publicUrl: o.publicUrl }),
    ...(o.hostNames && { hostNames: o.hostNames }),
  });
  return { component: simulator, mounted: { path: '/simulator', router: simulator.router }, secretKey, webhookSecret };
}
