// A service that has nothing but a subscription: our consumer as the services compose it.
import { bindings } from '@latchkey/contracts';
import { createLogger, systemClock } from '@latchkey/kit';
import { createConsumer, openAmqpQueue, subscribe } from '@latchkey/messaging';
import { answerParent } from '../answer-parent.js';

const logger = createLogger({ service: 'consumer', level: 'warn' });
const seen = new Set<string>();
let wanted: { count: number; done: (at: number) => void } | undefined;

answerParent({
  async open({ amqpUrl }: { amqpUrl: string }) {
    const queue = openAmqpQueue({ url: amqpUrl, bindings: Object.values(bindings), clock: systemClock, logger });
    await queue.start();
    const handle = async ({ id }: { id: string }) => {
      seen.add(id);
      if (wanted !== undefined && seen.size >= wanted.count) wanted.done(Date.now());
    };
    const deadLetters = {
      store: async () => {
        throw new Error('nothing dies here');
      },
    };
    const subscriptions = [subscribe(bindings.applyStripeEvent, handle)];
    await createConsumer({ queue, subscriptions, deadLetters, clock: systemClock, logger }).start();
  },
  /** When the last of so many further events was handled (milliseconds since 1970). */
  lastOf: (count: number) =>
    new Promise((resolve) => {
      seen.clear();
      wanted = { count, done: resolve };
    }),
});
