import { join } from 'node:path';
import type { Clock, Component, Logger } from '@latchkey/kit';
import { Problem } from '@latchkey/kit';
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { apiRouter } from './api-router.js';
import { controlRouter } from './control-router.js';
import { FaultPlan } from './fault-plan.js';
import { pageRouter } from './page-router.js';
import { passTime } from './pay-session.js';
import { seed } from './seed.js';
import { Store } from './store.js';
import { renewSubscriptions } from './subscriptions.js';
import { WebhookSender } from './webhook-sender.js';
import type { World } from './world.js';

/** What stands in for Stripe until `STRIPE_SECRET_KEY` is set: its API, its payment page, its webhooks. */
export interface StripeSimulator extends Component {
  /** To be mounted anywhere; `STRIPE_API_URL` names that place. Answers only requests made to this very machine. */
  readonly router: Router;
}

export interface StripeSimulatorOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  /** The only key that is taken; default: any. */
  readonly apiKey?: string;
  /** Where browsers find the router, when that is not where the API is called; payment pages are built from it. */
  readonly publicUrl?: string;
  /** Host names that it answers to beside this machine's own: the one that other containers call it by. */
  readonly hostNames?: readonly string[];
}

/** Its state lies in `<dataDir>/stripe-simulator` and survives every restart, webhooks that wait included. */
export function createStripeSimulator(options: StripeSimulatorOptions): StripeSimulator {
  const { clock, logger } = options;
  const store = new Store(join(options.dataDir, 'stripe-simulator'));
  const world: World = {
    store,
    clock,
    payLaterMs: 5_000,
    holding: false,
    delayMs: 0,
    silent: false,
    wakeSender: () => sender.wake(),
  };
  const sender = new WebhookSender({ world, url: options.webhookUrl, secret: options.webhookSecret, logger });
  const faults = new FaultPlan();
  const router = express.Router();
  const { apiKey, publicUrl, hostNames = [] } = options;
  router.use(knownNames([...ownNames, ...hostNames]));
  router.use(
    apiRouter({
      world,
      faults,
      logger,
      ...(apiKey !== undefined && { apiKey }),
      ...(publicUrl !== undefined && { publicUrl }),
    }),
  );
  router.use(controlRouter({ world, sender, faults }), pageRouter(world), problems);
  let timer: NodeJS.Timeout | undefined;

  return {
    name: 'stripe simulator',
    router,
    async start() {
      seed(world);
      sender.start();
      timer = setInterval(() => {
        passTime(world);
        renewSubscriptions(world);
      }, 500);
    },
    async stop() {
      clearInterval(timer);
      await sender.stop();
      store.close();
    },
  };
}

const ownNames = ['localhost', '127.0.0.1', '[::1]'];

/** A web site whose name was rebound to loopback must not press the buttons. */
function knownNames(names: readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const name = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
    if (names.includes(name)) next();
    else next(new Problem('forbidden', { detail: `The payment simulator answers only to ${names.join(', ')}` }));
  };
}

const problems: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof Problem)) return next(error);
  response
    .status(error.status)
    .type('application/problem+json')
    .send(JSON.stringify(error.toDocument('simulator')));
};
