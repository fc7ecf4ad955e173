import { encodeMessage, MAX_MESSAGE_BYTES, OversizeMessageError } from './encode-message.js';
import { deadQueue, exchange, retryQueue } from './names.js';

const message = {
  id: 'event-1',
  name: 'test.happened.v1',
  aggregateId: '1',
  sequence: 1,
  occurredAt: '2026-01-01T00:00:00.000Z',
  correlationId: 'request-1',
  payload: { n: 1 },
};

test('a message is JSON in UTF-8', () => {
  expect(JSON.parse(encodeMessage(message).toString())).toEqual(message);
});

test('F24 what is no message is refused before it is published', () => {
  expect(() => encodeMessage({ ...message, occurredAt: 'yesterday' })).toThrow();
});

test('O8 an oversize message is refused by name', () => {
  const large = { ...message, payload: 'x'.repeat(MAX_MESSAGE_BYTES) };
  expect(() => encodeMessage(large)).toThrow(OversizeMessageError);
});

test('names', () => {
  expect([exchange, deadQueue('mailer.send'), retryQueue(5)]).toEqual([
    'latchkey.events',
    'mailer.send.dead',
    'latchkey.retry.5',
  ]);
});
