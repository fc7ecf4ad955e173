import { startChild } from '../child.js';
import { alternate, rateLine } from '../measure/alternate.js';
import { withCpu } from '../measure/cpu-time.js';
import type { Row } from '../row.js';
import { startEngines } from '../systems.js';

export const outbox: Row = {
  name: 'outbox',
  what: '10,000 events, in three rounds, from outboxes over RabbitMQ to a consumer; floor: amqplib, quorum queue, confirms by 100, acks, one durable findOneAndUpdate an event',
  async run(bench) {
    const engines = await startEngines(bench);
    const { MONGODB_URI: uri, AMQP_URL: amqpUrl } = await engines.fresh();
    const count = bench.count(3_400);
    const relay = startChild(bench, 'parts/outbox-relay');
    const consumer = startChild(bench, 'parts/outbox-consumer');
    const floor = startChild(bench, 'floors/outbox');
    await Promise.all([
      relay.ask('open', { uri, amqpUrl }),
      consumer.ask('open', { amqpUrl }),
      floor.ask('open', { uri, amqpUrl: (await engines.fresh()).AMQP_URL }),
    ]);
    const rated = (milliseconds: number) => ({
      count,
      rate: (count * 1000) / milliseconds,
      p50: Number.NaN,
      p99: Number.NaN,
    });
    const found = await alternate(
      bench.rounds,
      async () => {
        await floor.ask('fill', count);
        return withCpu([floor.pid], async () => rated(await floor.ask<number>('run', count)));
      },
      async () => {
        await relay.ask('fill', count);
        return withCpu([relay.pid, consumer.pid], async () => {
          const last = consumer.ask<number>('lastOf', count);
          const began = await relay.ask<number>('run');
          const ended = await last;
          await relay.ask('emptied');
          return rated(ended - began);
        });
      },
    );
    return [rateLine('outbox → RabbitMQ → consumer', 'events/s', 0.5, found)];
  },
};
