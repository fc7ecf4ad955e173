import type { ChannelModel } from 'amqplib';
import type { ConsumeOptions, Consumption } from '../port.js';
import { DeadTakeover } from './dead-takeover.js';
import { type ConsumerDeps, QueueConsumer } from './queue-consumer.js';
import type { Depths } from './queue-depths.js';

type One = QueueConsumer | DeadTakeover;

/** What a process consumes: queues, and with each of them the one of its dead. They move together from one connection to the next. */
export class Consumers {
  readonly #deps: ConsumerDeps;
  #all: readonly One[] = [];

  constructor(deps: ConsumerDeps) {
    this.#deps = deps;
  }

  /** Begins at once when there is a connection, else with the next one. */
  async add(queue: string, options: ConsumeOptions, connection: ChannelModel | undefined): Promise<Consumption> {
    const added = [new QueueConsumer(queue, options, this.#deps), new DeadTakeover(queue, options.onDead, this.#deps)];
    this.#all = [...this.#all, ...added];
    if (connection !== undefined) await Promise.all(added.map((one) => one.attach(connection)));
    return { stop: () => this.#end(added) };
  }

  async attach(connection: ChannelModel): Promise<void> {
    await Promise.all(this.#all.map((one) => one.attach(connection)));
  }

  detach(): void {
    for (const one of this.#all) one.detach();
  }

  /** A queue that should be consumed and is not. */
  get idle(): string | undefined {
    return this.#all.find(({ consuming }) => !consuming)?.queue;
  }

  /** Adds what is held here of the dead: the broker does not count it. */
  countHeld(depths: Depths): Depths {
    for (const one of this.#all) {
      const depth = depths[one.queue];
      if (one instanceof DeadTakeover && depth !== undefined) depth.dead += one.held;
    }
    return depths;
  }

  stop(): Promise<void> {
    return this.#end(this.#all);
  }

  abandon(): void {
    for (const one of this.#all) one.abandon();
    this.#all = [];
  }

  /** They are told of a lost connection until they have ended. */
  async #end(those: readonly One[]): Promise<void> {
    await Promise.all(those.map((one) => one.stop()));
    this.#all = this.#all.filter((one) => !those.includes(one));
  }
}
