// The least that an outbox costs: publish by 100 to a quorum queue, wait for the confirms, take each event out of its document durably, consume, ack.
import { type ConfirmChannel, connect } from 'amqplib';
import mongoose from 'mongoose';
import { answerParent } from '../answer-parent.js';

const queue = 'floor';
const batch = 100;

interface Pending {
  _id: number;
  outbox: { id: number; name: string; payload: unknown }[];
}

let events: mongoose.mongo.Collection<Pending>;
let channel: ConfirmChannel;
let handled = 0;
let wanted: { count: number; done: () => void } | undefined;

answerParent({
  async open({ uri, amqpUrl }: { uri: string; amqpUrl: string }) {
    const options = { maxPoolSize: 20, writeConcern: { w: 'majority', journal: true } } as const;
    const client = await new mongoose.mongo.MongoClient(uri, options).connect();
    events = client.db('floor').collection('events');
    const connection = await connect(amqpUrl);
    channel = await connection.createConfirmChannel();
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    const consumer = await connection.createChannel();
    await consumer.prefetch(batch);
    await consumer.consume(queue, (message) => {
      if (message === null) return;
      consumer.ack(message);
      handled += 1;
      if (wanted !== undefined && handled >= wanted.count) wanted.done();
    });
  },
  async fill(count: number) {
    await events.drop().catch(() => undefined);
    for (let made = 0; made < count; made += 1_000) {
      const documents = Array.from({ length: Math.min(1_000, count - made) }, (_nothing, at) => ({
        _id: made + at,
        outbox: [{ id: made + at, name: 'floor.happened', payload: { eventId: String(made + at), type: 'floor' } }],
      }));
      await events.insertMany(documents, { ordered: false });
    }
  },
  /** Milliseconds until all are handled and out of their documents. */
  async run(count: number) {
    handled = 0;
    const all = new Promise<void>((done) => {
      wanted = { count, done };
    });
    const began = performance.now();
    for (let at = 0; at < count; at += batch) {
      const ids = Array.from({ length: Math.min(batch, count - at) }, (_nothing, one) => at + one);
      for (const id of ids)
        channel.sendToQueue(queue, Buffer.from(JSON.stringify({ id, name: 'floor.happened' })), { persistent: true });
      await channel.waitForConfirms();
      await Promise.all(ids.map((id) => events.findOneAndUpdate({ _id: id }, { $pull: { outbox: { id } } })));
    }
    await all;
    return performance.now() - began;
  },
});
