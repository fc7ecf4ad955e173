import { someMessage } from '@latchkey/tests';
import { encodeMessage, MAX_MESSAGE_BYTES, OversizeMessageError } from './encode-message.js';
import { deadQueue, exchange, retryQueue } from './names.js';

const message = someMessage();

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
