import { type ConsumeOptions, type Consumption, type MessageQueue, QueueUnavailableError } from '@latchkey/messaging';

interface Wish {
  readonly name: string;
  readonly options: ConsumeOptions;
  begun?: Promise<Consumption>;
}

/**
 * A queue whose start nobody waits for: a service serves while the broker is away (F8, F17), and what it publishes stays pending in its outbox. Subscriptions
 * begin once the broker is there. A start that fails for good (a topology that does not match, F14) is an unhandled rejection, which ends the process.
 */
export function queueInBackground(queue: MessageQueue): MessageQueue {
  let usable = false;
  let starting: Promise<void> | undefined;
  const waiting = new Set<Wish>();

  async function start(): Promise<void> {
    await queue.start();
    usable = true;
    await Promise.all([...waiting].map(begin));
  }

  function begin(wish: Wish): Promise<Consumption> {
    waiting.delete(wish);
    wish.begun = queue.consume(wish.name, wish.options);
    return wish.begun;
  }

  async function end(wish: Wish): Promise<void> {
    waiting.delete(wish);
    // One that could not begin has ended the process, or is about to.
    await wish.begun?.then((consumption) => consumption.stop()).catch(() => undefined);
  }

  async function whenUsable<T>(work: () => Promise<T>): Promise<T> {
    if (!usable) throw new QueueUnavailableError('the queue is not connected yet');
    return work();
  }

  return {
    async start() {
      starting = start();
    },
    publish: (message) => whenUsable(() => queue.publish(message)),
    redeliver: (name, message) => whenUsable(() => queue.redeliver(name, message)),
    depths: () => whenUsable(() => queue.depths()),
    async consume(name, options) {
      if (usable) return queue.consume(name, options);
      const wish: Wish = { name, options };
      waiting.add(wish);
      return { stop: () => end(wish) };
    },
    check: async () => (usable ? queue.check() : { status: 'down', detail: 'not connected yet' }),
    async stop() {
      waiting.clear();
      await queue.stop();
      await starting?.catch(() => undefined);
    },
  };
}
