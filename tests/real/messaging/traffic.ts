import type { AmqpQueue } from '@latchkey/messaging';
import { messageOf, parse, suiteBindings } from '../../contract/messaging/messaging.suite';

/** The counts of the requirement rows instead of a few: FAULTS=full. */
export const isFull = process.env.FAULTS === 'full';

/** Publishes one numbered message after another, several at a time, and remembers which ones were confirmed. */
export class Load {
  readonly confirmed = new Set<number>();
  refused = 0;
  #next = 0;
  #running = true;
  readonly #lanes: Promise<void>[];

  constructor(queue: AmqpQueue, lanes = 20) {
    this.#lanes = Array.from({ length: lanes }, () => this.#publish(queue));
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#lanes);
  }

  async #publish(queue: AmqpQueue): Promise<void> {
    while (this.#running) {
      const n = this.#next++;
      try {
        await queue.publish(messageOf(n));
        this.confirmed.add(n);
      } catch {
        this.refused += 1;
        // Refusals come at once while the broker is away: let the rest of the process have its turn.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }
}

/** Handles what comes to the first queue and remembers its numbers. */
export async function collect(queue: AmqpQueue, prefetch = 20): Promise<{ seen: Set<number>; count(): number }> {
  const seen = new Set<number>();
  let count = 0;
  await queue.consume(suiteBindings.first.queue, {
    prefetch,
    onDelivery: async (delivery) => {
      count += 1;
      seen.add(parse(delivery).payload.n);
      return { kind: 'done' };
    },
    onDead: async () => {},
  });
  return { seen, count: () => count };
}

/** For polling: whether it resolved. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
