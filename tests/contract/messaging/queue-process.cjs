// A process of its own on one queue file, for tests that kill it. Arguments: the file, what to do, and how often.
const { systemClock, createLogger } = require('@latchkey/kit');
const { openEmbeddedQueue } = require('@latchkey/embedded');
const { suiteBindings, messageOf, parse } = require('./messaging.suite.ts');

const [file, task, count] = process.argv.slice(2);
const logger = createLogger({ service: 'child', level: 'silent' });
const queue = openEmbeddedQueue({
  file,
  bindings: suiteBindings,
  clock: systemClock,
  logger,
  pollMs: 20,
  leaseMs: 1_000,
});
const say = (word) => process.stdout.write(`${word}\n`);

const tasks = {
  /** Publishes without end and says the number of each message once its publish has resolved. */
  async publish() {
    for (let n = 0; ; n += 5) {
      await Promise.all([0, 1, 2, 3, 4].map((k) => queue.publish(messageOf(n + k)).then(() => say(n + k))));
    }
  },
  /** Publishes `count` messages, says so, and stays. */
  async publishSome() {
    await Promise.all([...Array(Number(count)).keys()].map((n) => queue.publish(messageOf(n))));
    say('published');
  },
  /** Handles messages and says the number of each. */
  async consume() {
    await queue.consume(suiteBindings.first.queue, {
      prefetch: 5,
      onDelivery: async (delivery) => {
        say(parse(delivery).payload.n);
        await new Promise((resolve) => setImmediate(resolve));
        return { kind: 'done' };
      },
      onDead: async () => {},
    });
    say('ready');
  },
};

queue.start().then(() => tasks[task]());
setInterval(() => {}, 1_000);
