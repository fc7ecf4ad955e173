// Rotating every secret of a standalone system that is in use.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { latchkey } from '../support/latchkey-command.js';
import { StandaloneProcess } from '../support/standalone-process.js';

jest.setTimeout(120_000);

let system: StandaloneProcess;
beforeAll(async () => {
  system = await StandaloneProcess.create();
  await system.start();
});
afterAll(() => system?.dispose());

const run = (...words: string[]) => latchkey(words, { environment: system.environment });
const places = async (key: string) =>
  (JSON.parse((await run('keys', 'list', '--json')).out) as { key: string; fingerprint: string }[])
    .filter((row) => row.key === key)
    .map(({ fingerprint }) => fingerprint);
const kidOf = (token = '') => JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid;
const restart = async () => {
  await system.terminate();
  await system.start();
};

test('S44 after a rotation of every key old sessions and old passwords go on, new tokens carry the new key', async () => {
  const old = system.client();
  expect((await old.post('/login', system.adminCredentials)).status).toBe(200);
  for (const key of ['jwt', 'pepper', 'sealing', 'service']) {
    const [before] = await places(key);
    expect(await run('keys', 'rotate', key)).toMatchObject({ code: 0, err: '' });
    expect(await places(key)).toEqual([expect.not.stringMatching(before as string), before]);
  }
  await restart();
  expect((await old.get('/session')).status).toBe(200);
  const fresh = system.client();
  expect((await fresh.post('/login', system.adminCredentials)).status).toBe(200);
  expect(kidOf(await fresh.token())).not.toBe(kidOf(await old.token()));
  expect((await run('keys', 'rotate', 'jwt', '--stage', 'drop')).code).toBe(0);
  await restart();
  expect((await old.get('/session')).status).toBe(401);
  expect((await fresh.get('/session')).status).toBe(200);
});

test('in stages: added at the end, then used, then alone; a pepper is not dropped lightly', async () => {
  const [first, ...others] = await places('pepper');
  await run('keys', 'rotate', 'pepper', '--stage', 'add');
  const added = (await places('pepper')).at(-1);
  expect(await places('pepper')).toEqual([first, ...others, added]);
  await run('keys', 'rotate', 'pepper', '--stage', 'use');
  expect(await places('pepper')).toEqual([added, first, ...others]);
  expect((await run('keys', 'rotate', 'pepper', '--stage', 'drop')).code).toBe(1);
  expect((await run('keys', 'rotate', 'pepper', '--stage', 'drop', '--force')).code).toBe(0);
  expect(await places('pepper')).toEqual([added]);
});

test('each rotation is in the audit log without the secret; files are for their owner alone', async () => {
  const log = join(system.dataDir, 'operations.log');
  const pepper = join(system.dataDir, 'secrets', 'password-pepper');
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).action)).toContain('keys rotate');
  expect(readFileSync(log, 'utf8')).not.toContain(readFileSync(pepper, 'utf8').trim());
  if (process.platform !== 'win32') for (const file of [log, pepper]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a secret that the environment gives is not touched', async () => {
  const environment = { ...system.environment, SERVICE_SECRET: 'given-by-the-environment-0123456789' };
  expect(await latchkey(['keys', 'rotate', 'service'], { environment })).toMatchObject({
    code: 1,
    err: expect.stringContaining('given by the environment'),
  });
  expect((await latchkey(['keys', 'rotate', 'jwt'], { environment: { DATA_DIR: '/nowhere' } })).code).toBe(1);
});
