import type { Logger } from '@latchkey/kit';
import type { Delivery } from './objects.js';
import { signWebhook } from './sign-webhook.js';
import { seconds, type World } from './world.js';

const GIVE_UP_AFTER_MS = 3 * 24 * 3600 * 1000;
const LONGEST_WAIT_MS = 3600 * 1000;
const ANSWER_WITHIN_MS = 10_000;
const AT_ONCE = 10;

/** Sends events to the webhook, signed, and again until it answers 2xx: after 1, 2, 4 … seconds, for three days. Survives restarts. */
export class WebhookSender {
  /** Copies sent beside each delivery. */
  duplicates = 0;
  readonly #options: { world: World; url: string; secret: string; logger: Logger };
  readonly #underWay = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  constructor(options: { world: World; url: string; secret: string; logger: Logger }) {
    this.#options = options;
  }

  start(): void {
    this.#running = true;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#running = false;
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#underWay.values());
  }

  /** Looks for what is due, after the change that calls this is done. */
  wake(): void {
    if (!this.#running) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#pump(), 0);
  }

  /** Sends held events, one after the other in the given order, each after the answer to the one before. */
  async release(ids: readonly string[]): Promise<void> {
    const { store } = this.#options.world;
    for (const id of ids) {
      const delivery = store.get('delivery', id);
      if (delivery?.state === 'held') await this.#send(delivery);
    }
  }

  /** Sends an event once more, whether or not it arrived. */
  async resend(id: string): Promise<void> {
    const delivery = this.#options.world.store.get('delivery', id);
    if (delivery !== undefined) await this.#send(delivery);
  }

  #pump(): void {
    const { store, clock } = this.#options.world;
    const now = clock.now();
    let next = now + 1000;
    for (const delivery of store.all('delivery')) {
      if (delivery.state !== 'pending' || this.#underWay.has(delivery.id)) continue;
      if (delivery.nextAt > now) next = Math.min(next, delivery.nextAt);
      else if (this.#underWay.size < AT_ONCE) this.#begin(delivery);
    }
    if (this.#running) this.#timer = setTimeout(() => this.#pump(), Math.max(5, next - now));
  }

  #begin(delivery: Delivery): void {
    const work = this.#send(delivery).finally(() => {
      this.#underWay.delete(delivery.id);
      this.wake();
    });
    this.#underWay.set(delivery.id, work);
  }

  async #send(delivery: Delivery): Promise<void> {
    const { store, clock } = this.#options.world;
    const event = store.get('event', delivery.id);
    if (event === undefined) return;
    const copies = Array.from({ length: 1 + this.duplicates }, () => this.#post(JSON.stringify(event)));
    const answers = await Promise.all(copies);
    const arrived = answers.every((answer) => /^2\d\d$/.test(answer));
    const attempts = delivery.attempts + 1;
    const late = clock.now() - delivery.firstAt > GIVE_UP_AFTER_MS;
    const wait = Math.min(LONGEST_WAIT_MS, 1000 * 2 ** Math.min(delivery.attempts, 12));
    store.change(() => {
      if (arrived) store.put('event', { ...event, pending_webhooks: 0 });
      store.put('delivery', {
        ...delivery,
        attempts,
        state: arrived ? 'delivered' : late ? 'given-up' : 'pending',
        nextAt: clock.now() + wait,
        lastAnswer: answers.join(', '),
      });
    });
    if (!arrived) this.#options.logger.warn({ eventId: event.id, answers }, 'a webhook was not taken');
  }

  /** The status of the answer, or why there was none. */
  async #post(body: string): Promise<string> {
    const { url, secret, world } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signWebhook(body, secret, seconds(world)),
          'user-agent': 'Stripe/1.0 (simulator)',
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      await response.arrayBuffer();
      return String(response.status);
    } catch (error) {
      return error instanceof Error
        ? error.cause instanceof Error
          ? error.cause.message
          : error.message
        : 'no answer';
    }
  }
}
