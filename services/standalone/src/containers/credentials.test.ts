import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCredentials } from './credentials.js';
import { writeCredentials } from './write-credentials.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'latchkey-credentials-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const make = (production = false) => makeCredentials({ main: join(root, 'main'), production });

test('they are made once, and what a person needs is told once', () => {
  const first = make();
  const second = make();
  expect(second.files).toEqual(first.files);
  expect(first.logins.map(({ what }) => what)).toEqual(['RabbitMQ management', 'First admin']);
  expect(second.logins).toEqual([]);
});

test('S74 every service has accounts of its own, and none gets the secrets of another', () => {
  const { files } = make();
  const uris = files.filter(({ name }) => ['mongodb-uri', 'amqp-url'].includes(name)).map(({ content }) => content);
  expect(new Set(uris).size).toBe(uris.length);
  const of = (volume: string) => files.filter((file) => file.volume === volume).map(({ name }) => name);
  expect(of('gateway')).toEqual(['service-secret']);
  expect(of('mailer')).toEqual(['mongodb-uri', 'amqp-url', 'sealing-key', 'service-secret']);
  expect(JSON.stringify(files)).not.toContain('guest');
});

test('S44 in production only the accounts of the engines are made', () => {
  const names = make(true).files.map(({ name }) => name);
  expect([...new Set(names)].sort()).toEqual(
    ['amqp-url', 'definitions.json', 'keyfile', 'mongodb-uri', 'root-password', 'users.json'].sort(),
  );
});

test('files are for their reader only; a second run leaves them as they are', () => {
  const { files } = make();
  writeCredentials(root, files);
  const key = join(root, 'auth', 'jwt-private-keys');
  const before = statSync(key);
  writeCredentials(root, files);
  expect(statSync(key).ino).toBe(before.ino);
  expect(before.mode & 0o777).toBe(0o400);
  expect(statSync(join(root, 'mongo', 'keyfile')).mode & 0o777).toBe(0o444);
  expect(readFileSync(key, 'utf8')).toContain('PRIVATE KEY');
});
