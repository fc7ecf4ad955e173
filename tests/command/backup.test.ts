// Backups of a standalone system under load, and what comes back from them.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { latchkey } from '../support/latchkey-command.js';
import { Mailbox } from '../support/mailbox.js';
import { StandaloneProcess } from '../support/standalone-process.js';

jest.setTimeout(180_000);

let system: StandaloneProcess;
let folder: string;
let file: string;
beforeAll(async () => {
  system = await StandaloneProcess.create();
  folder = mkdtempSync(join(tmpdir(), 'latchkey-backup-'));
  file = join(folder, 'backup.tar.gz');
  await system.start();
});
afterAll(async () => {
  await system?.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const run = (words: string[], dataDir = system.dataDir) =>
  latchkey(words, { environment: { ...system.environment, DATA_DIR: dataDir } });
const password = 'correct horse battery';

/** Creates users and asks for resets until told to stop; gives what was answered with success, in order. */
function keepBusy(admin: ApiClient) {
  const answered: string[] = [];
  let stop = false;
  const done = (async () => {
    for (let at = 0; !stop; at += 1) {
      const email = `busy${at}@example.net`;
      const made = await admin.post('/user', { email, first_name: 'B', last_name: 'B', password });
      if (made.status !== 201) throw new Error(`refused: ${made.text}`);
      const reset = await system.client().post('/reset-password', { email });
      if (reset.status !== 200) throw new Error(`refused: ${reset.text}`);
      answered.push(email);
    }
  })();
  return {
    answered,
    async end() {
      stop = true;
      await done;
    },
  };
}

test('F2 F3 a backup under load loses nothing that was answered before it, and holds nothing by halves', async () => {
  const admin = system.client();
  expect((await admin.post('/login', system.adminCredentials)).status).toBe(200);
  const keeper = await admin.post('/user', { email: 'keeper@example.net', first_name: 'K', last_name: 'K', password });
  expect(keeper.status).toBe(201);
  const busy = keepBusy(admin);
  await eventually('some load', () => busy.answered.length >= 5, 60_000);
  const before = [...busy.answered];
  const backup = await run(['backup', file]);
  expect(backup).toMatchObject({ code: 0, err: '', out: expect.stringContaining('It holds the secrets') });
  const during = busy.answered.length;
  await eventually('load after it', () => busy.answered.length > during, 60_000);
  await busy.end();
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['backup.tar.gz']);
  await system.kill();

  const restored = join(folder, 'restored');
  expect(await run(['restore', file], restored)).toMatchObject({ code: 0, err: '' });
  if (process.platform !== 'win32') {
    expect(statSync(restored).mode & 0o777).toBe(0o700);
    expect(statSync(join(restored, 'secrets', 'password-pepper')).mode & 0o777).toBe(0o600);
  }
  await system.start({ DATA_DIR: restored });
  // The session of before goes on, and so does the password.
  expect((await admin.get('/session')).status).toBe(200);
  expect((await system.client().post('/login', { email: 'keeper@example.net', password })).status).toBe(200);
  const mailbox = new Mailbox(`http://127.0.0.1:${system.environment.MAILER_PORT}/mailbox`);
  for (const email of before) await mailbox.waitFor(email, /reset/i);
  // Whoever is there was made at both services: a reset is only mailed to somebody who has credentials.
  const { body } = await admin.get('/user?q=busy&limit=200');
  const there = (body.users as { email: string }[]).map(({ email }) => email);
  expect(there).toEqual(expect.arrayContaining(before));
  expect(there.length).toBeLessThan(busy.answered.length);
  for (const email of there) {
    await system.client().post('/reset-password', { email });
    await mailbox.waitFor(email, /reset/i);
  }
  await system.terminate();
});

test('nothing is overwritten: a file, a folder with something in it, an installation that runs', async () => {
  expect(await run(['backup', file])).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });
  await system.start();
  for (const force of [[], ['--force']]) {
    const refused = await run(['restore', file, ...force]);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('is running') });
  }
  await system.terminate();
  expect(await run(['restore', file])).toMatchObject({ code: 1, err: expect.stringContaining('not empty') });
  const forced = await run(['restore', file, '--force']);
  expect(forced.code).toBe(0);
  const kept = /kept in (\S+)\./.exec(forced.out)?.[1] as string;
  expect(existsSync(join(kept, 'auth.db'))).toBe(true);
  rmSync(kept, { recursive: true });
  await system.start();
  expect((await system.client().post('/login', { email: 'keeper@example.net', password })).status).toBe(200);
  await system.terminate();
});

test('a damaged backup is refused before anything is touched', async () => {
  const damaged = join(folder, 'damaged.tar.gz');
  const bytes = readFileSync(file);
  const target = join(folder, 'untouched');
  const middle = Math.floor(bytes.length / 2);
  writeFileSync(
    damaged,
    Buffer.concat([
      bytes.subarray(0, middle),
      Buffer.from([(bytes[middle] as number) ^ 255]),
      bytes.subarray(middle + 1),
    ]),
  );
  expect((await run(['restore', damaged], target)).code).toBe(1);
  writeFileSync(damaged, bytes.subarray(0, middle));
  expect((await run(['restore', damaged], target)).code).toBe(1);
  writeFileSync(damaged, 'no archive at all');
  expect((await run(['restore', damaged], target)).code).toBe(1);
  expect(existsSync(target)).toBe(false);
  expect((await run(['backup', join(folder, 'x')], target)).code).toBe(1);
});
