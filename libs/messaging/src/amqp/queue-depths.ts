import type { QueueBinding } from '@latchkey/contracts';
import type { Channel, ChannelModel } from 'amqplib';
import { deadQueue, retryQueue } from '../names.js';
import { openChannel } from './open-channel.js';
import { retrySeconds } from './topology.js';

export type Depths = Record<string, { ready: number; delayed: number; dead: number }>;

/** What lies in every queue. Retries of all consumers wait together and are told by the name of the queue they wait in. A missing queue counts as empty. */
export async function queueDepths(connection: ChannelModel, bindings: readonly QueueBinding[]): Promise<Depths> {
  const counter = new Counter(connection);
  const depths: Depths = {};
  try {
    for (const { queue } of bindings) {
      depths[queue] = { ready: await counter.count(queue), delayed: 0, dead: await counter.count(deadQueue(queue)) };
    }
    for (const name of retrySeconds.map(retryQueue)) {
      depths[name] = { ready: 0, delayed: await counter.count(name), dead: 0 };
    }
    return depths;
  } finally {
    await counter.close();
  }
}

/** Asks passively. The broker closes the channel over a queue that is not there. */
class Counter {
  readonly #connection: ChannelModel;
  #channel: Channel | undefined;

  constructor(connection: ChannelModel) {
    this.#connection = connection;
  }

  async count(queue: string): Promise<number> {
    this.#channel ??= await openChannel(this.#connection);
    try {
      return (await this.#channel.checkQueue(queue)).messageCount;
    } catch (error) {
      this.#channel = undefined;
      if ((error as { code?: unknown }).code === 404) return 0;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#channel?.close().catch(() => undefined);
  }
}
