import type { Message } from '@latchkey/contracts';

/** A message as it crosses the queue, with whatever the test does not care about filled in. */
export function someMessage(over: Partial<Message> = {}): Message {
  return {
    id: 'event-1',
    name: 'test.happened.v1',
    aggregateId: '1',
    sequence: 1,
    occurredAt: '2026-01-01T00:00:00.000Z',
    correlationId: 'request-1',
    payload: { n: 1 },
    ...over,
  };
}
