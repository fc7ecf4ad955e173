import { createLogger } from '@latchkey/kit';
import { type AmqpQueue, type AmqpQueueOptions, openAmqpQueue } from '@latchkey/messaging';
import { connect } from 'amqplib';
import { type Engine, suiteBindings } from '../../contract/messaging/messaging.suite';
import type { RabbitBroker } from '../../support/rabbitmq';

export interface RabbitEngine extends Engine {
  readonly url: string;
  /** Its virtual host. */
  readonly host: string;
  /** A queue that is not started yet, on the same storage. */
  open(over?: Partial<AmqpQueueOptions>): AmqpQueue;
  connect(over?: Partial<AmqpQueueOptions>): Promise<AmqpQueue>;
}

/** The queue on a virtual host of its own. Delays pass by themselves: whoever waits for their end polls. */
export async function openRabbitEngine(broker: RabbitBroker): Promise<RabbitEngine> {
  const { name: host, url, remove } = await broker.freshHost();
  const opened = new Set<AmqpQueue>();

  function open(over: Partial<AmqpQueueOptions> = {}): AmqpQueue {
    const logger = createLogger({ service: 'suite', level: process.env.LOG_LEVEL ?? 'silent' });
    const queue = openAmqpQueue({ url, bindings: suiteBindings, clock: { now: () => Date.now() }, logger, ...over });
    opened.add(queue);
    return queue;
  }

  return {
    url,
    host,
    open,
    async connect(over) {
      const queue = open(over);
      await queue.start();
      return queue;
    },
    async crash(queue) {
      (queue as AmqpQueue).abandon();
    },
    async putRaw(queue, body) {
      const connection = await connect(url);
      const channel = await connection.createConfirmChannel();
      channel.sendToQueue(queue, Buffer.from(body), { persistent: true });
      await channel.waitForConfirms();
      await connection.close();
    },
    async pass() {},
    async dispose() {
      await Promise.all([...opened].map((queue) => queue.stop()));
      await remove();
    },
  };
}
