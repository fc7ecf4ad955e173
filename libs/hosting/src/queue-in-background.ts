import { type ConsumeOptions, type MessageQueue, QueueUnavailableError } from '@latchkey/messaging';

/**
 * A queue whose start nobody waits for: a service serves while the broker is away (F8, F17), and what it publishes stays pending in its outbox. Subscriptions
 * begin once the broker is there. A start that fails for good (a topology that does not match, F14) is an unhandled rejection, which ends the process.
 */
export function queueInBackground(queue: MessageQueue): MessageQueue {
  let usable = false;
  let starting: Promise<void> | undefined;
  const waiting: { name: string; options: ConsumeOptions }[] = [];

  async function start(): Promise<void> {
    await queue.start();
    usable = true;
    await Promise.all(waiting.splice(0).map(({ name, options }) => queue.consume(name, options)));
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
      if (usable) await queue.consume(name, options);
      else waiting.push({ name, options });
    },
    check: async () => (usable ? queue.check() : { status: 'down', detail: 'not connected yet' }),
    async stop() {
      waiting.length = 0;
      await queue.stop();
      await starting?.catch(() => undefined);
    },
  };
}
