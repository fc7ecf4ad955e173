import { createLogger } from './logger.js';

const bcryptHash = `$2b$12$${'abcdefghijklmnopqrstu/'.repeat(3).slice(0, 53)}`;
const jwt = `eyJhbGciOiJFUzI1NiJ9.${'a'.repeat(40)}.${'b'.repeat(40)}`;

function capture() {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  return { logger, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1) ?? '') };
}

test.each([
  'password',
  'current_password',
  'reset_token',
  'disown_token',
  'confirm_token',
  'token',
  'cookie',
  'set-cookie',
  'authorization',
  'sealedToken',
  'secret',
  'passwordHash',
  // No finished line is searched for these: only the look at the fields finds them.
  'hash',
  'passphrase',
  'passwd',
  'privateKey',
  'api_key',
])('S26 the field %s is redacted at any depth, in children and in errors', (name) => {
  const { logger, text } = capture();
  logger.info({ [name]: 'hunter2', a: { b: [{ c: { [name]: ['hunter2'] } }] } }, 'deep');
  logger.info({ err: Object.assign(new Error('x', { cause: { [name]: 'hunter2' } }), { [name]: 'hunter2' }) });
  logger.info({ other: Object.assign(new Error('x'), { input: { [name]: 'hunter2' } }) });
  expect(text()).not.toContain('hunter2');
  expect(text()).toContain('[redacted]');
});

test('S26 a secret that is an object, a list of numbers, bytes or a number is redacted as a whole', () => {
  const { logger, last } = capture();
  logger.info(
    { password: { value: 'hunter2' }, token: [104, 117], secret: 4711, cookie: new Map([['a', 'b']]) },
    'odd',
  );
  const redacted = '[redacted]';
  expect(last()).toMatchObject({ password: redacted, token: redacted, secret: redacted, cookie: redacted });
});

test('S26 fields of a child logger are redacted', () => {
  const { logger, text } = capture();
  logger.child({ token: 'hunter2', headers: { cookie: ['hunter2', 'a"b'] } }).info('child');
  expect(text()).not.toContain('hunter2');
  expect(() => JSON.parse(text())).not.toThrow();
});

test('S12 hashes, tokens and passwords inside messages and stacks are blotted out', () => {
  const { logger, text } = capture();
  logger.info(`stored ${bcryptHash}`);
  logger.error({ err: new Error(`bad ${jwt}`) }, 'failed');
  logger.warn({ url: 'amqp://latchkey:hunter2@broker/v', link: 'https://x/y?reset_token=abcdef&user_id=1' });
  expect(text()).not.toMatch(/\$2b\$|eyJ|hunter2|abcdef/);
  expect(text()).toContain('user_id=1');
});

test('what is no secret stays readable, the caller’s object is left as it was', () => {
  const { logger, last } = capture();
  const fields = { userId: 7, at: new Date(0), nested: { password: 'x' }, list: [1], none: null };
  logger.info(fields, 'plain');
  expect(last()).toMatchObject({
    level: 'info',
    service: 'test',
    userId: 7,
    at: '1970-01-01T00:00:00.000Z',
    list: [1],
  });
  expect(fields.nested.password).toBe('x');
});

test('a circular object is cut off, not followed', () => {
  const { logger, text } = capture();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  logger.info(circular, 'round');
  expect(text()).toContain('too deep');
});

test('F22 a destination that throws or emits an error does not reach the caller', () => {
  const listeners: ((error: Error) => void)[] = [];
  const destination = {
    on: (_event: string, listener: (error: Error) => void) => listeners.push(listener),
    write() {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    },
  };
  const logger = createLogger({ service: 'test', level: 'info', destination });
  expect(() => logger.info('lost')).not.toThrow();
  expect(listeners).toHaveLength(1);
});
