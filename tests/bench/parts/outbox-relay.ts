// A service that has nothing but outboxes: our relay as the services compose it, on MongoDB and RabbitMQ.
import { randomUUID } from 'node:crypto';
import { bindings, stripeEventReceived } from '@latchkey/contracts';
import { createLogger, systemClock } from '@latchkey/kit';
import { type AmqpQueue, openAmqpQueue } from '@latchkey/messaging';
import {
  type AggregateFields,
  aggregateFields,
  connectMongo,
  createOutbox,
  indexAggregate,
} from '@latchkey/persistence';
import { type Model, Schema } from 'mongoose';
import { answerParent } from '../answer-parent.js';

const logger = createLogger({ service: 'relay', level: 'warn' });
const schema = new Schema<AggregateFields<string>>(
  { ...aggregateFields, _id: String },
  { versionKey: false, id: false },
);
indexAggregate(schema);
let model: Model<AggregateFields<string>>;
let queue: AmqpQueue;
let relay: ReturnType<typeof createOutbox>['relay'];

const outboxOf = (id: string) => [
  {
    id: randomUUID(),
    name: stripeEventReceived.name,
    sequence: 0,
    occurredAt: new Date(),
    correlationId: id,
    payload: { eventId: id, type: 'customer.bench' },
  },
];

answerParent({
  async open({ uri, amqpUrl }: { uri: string; amqpUrl: string }) {
    const connection = await connectMongo({ uri, dbName: 'relay', logger });
    model = connection.model<AggregateFields<string>>('Aggregate', schema, 'aggregates');
    await model.init();
    queue = openAmqpQueue({ url: amqpUrl, bindings: Object.values(bindings), clock: systemClock, logger });
    await queue.start();
  },
  /** Aggregates with one pending event each, as a relay that was away finds them. */
  async fill(count: number) {
    for (let made = 0; made < count; made += 1_000) {
      const documents = Array.from({ length: Math.min(1_000, count - made) }, () => {
        const _id = randomUUID();
        return { _id, version: 0, outbox: outboxOf(_id), outboxPending: true };
      });
      await model.collection.insertMany(documents as never[], { ordered: false });
    }
  },
  /** Starts the relay; gives the time of the start (milliseconds since 1970). */
  async run() {
    const models = () => [model];
    ({ relay } = createOutbox({ models, publish: (message) => queue.publish(message), clock: systemClock, logger }));
    await relay.start();
    return Date.now();
  },
  /** Stops the relay, which finishes what it began; every outbox must be empty then. */
  async emptied() {
    while ((await model.countDocuments({ outboxPending: true })) > 0) await new Promise((done) => setTimeout(done, 20));
    await relay.stop();
  },
});
