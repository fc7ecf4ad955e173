/** Every name that a queue engine uses comes from here (design §3). */

/** The one topic exchange; an event's name is its routing key. */
export const exchange = 'latchkey.events';

/** Where an engine without a dead state of its own sets messages of `queue` aside. */
export function deadQueue(queue: string): string {
  return `${queue}.dead`;
}

const RETRY = 'latchkey.retry.';

/** Shared by all consumers: what lies here for `seconds` returns to the queue that is its routing key. The fanout exchange before it has the same name. */
export function retryQueue(seconds: number): string {
  return `${RETRY}${seconds}`;
}

export function isRetryQueue(name: string): boolean {
  return name.startsWith(RETRY);
}
