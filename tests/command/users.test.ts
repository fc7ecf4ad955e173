// The `latchkey` command as a process of its own, against a standalone system that runs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { type CommandResult, latchkey } from '../support/latchkey-command.js';
import { StandaloneProcess } from '../support/standalone-process.js';

jest.setTimeout(120_000);

let system: StandaloneProcess;
beforeAll(async () => {
  system = await StandaloneProcess.create();
  await system.start();
});
afterAll(() => system?.dispose());

const run = (words: string[], input?: string): Promise<CommandResult> =>
  latchkey(words, { environment: system.environment, ...(input !== undefined && { input }) });
const names = ['--first-name', 'Ada', '--last-name', 'Lovelace'];
const logIn = async (email: string, password: string) => {
  const client = system.client();
  return { client, status: (await client.post('/login', { email, password })).status };
};
const auditLines = () =>
  system
    .log()
    .split('\n')
    .filter((line) => line.includes('"audit":"operator"'));

test('a user is created with a password from standard input, which no log line holds', async () => {
  const password = 'analytical engine';
  const made = await run(['user', 'create', 'ada@example.com', ...names, '--password-stdin'], `${password}\n`);
  expect(made).toEqual({
    code: 0,
    out: expect.stringMatching(/^Created user \d+, ada@example.com, member\.\n$/),
    err: '',
  });
  expect((await logIn('ada@example.com', password)).status).toBe(200);
  expect(system.log()).not.toContain(password);
  const audit = auditLines().find((line) => line.includes('"POST /user"'));
  expect(JSON.parse(audit as string)).toMatchObject({
    status: 201,
    from: 'operator',
    by: expect.stringContaining('@'),
  });
});

test('a made password is printed once; an invited user gets a mail', async () => {
  const made = await run(['user', 'create', 'made@example.com', ...names, '--generate', '--role', 'admin']);
  const password = /once\): (\S+)/.exec(made.out)?.[1] as string;
  expect((await logIn('made@example.com', password)).status).toBe(200);
  expect((await run(['user', 'create', 'guest@example.com', ...names, '--invite'])).code).toBe(0);
  await eventually(
    'the invitation',
    async () => {
      const { out } = await run(['mail', 'list', '--json', '--state', 'sent']);
      return (JSON.parse(out) as { to: string; template: string }[]).some(
        ({ to, template }) => to === 'guest@example.com' && template === 'invitation',
      );
    },
    60_000,
  );
});

test('refusals are told with their reasons, and exit codes tell a refusal from a wrong call', async () => {
  const weak = await run(['user', 'create', 'weak@example.com', ...names, '--password-stdin'], 'short');
  expect(weak.code).toBe(1);
  expect(weak.err).toContain('password');
  const taken = await run(['user', 'create', system.adminCredentials.email, ...names, '--generate']);
  expect([taken.code, taken.err]).toEqual([1, expect.stringContaining('email-taken')]);
  expect((await run(['user', 'create', 'x@example.com', ...names])).code).toBe(2);
  const unknown = await run(['user', 'list', '--nonsense']);
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("unknown option '--nonsense'")]);
  expect((await run(['nonsense'])).code).toBe(2);
  const help = await run(['user', 'import', '--help']);
  expect([help.code, help.out]).toEqual([0, expect.stringContaining('Usage: latchkey user import')]);
});

test('a password is set by id or email and ends the sessions; sessions are ended alone', async () => {
  await run(['user', 'create', 'grace@example.com', ...names, '--password-stdin'], 'first of her passwords');
  const before = await logIn('grace@example.com', 'first of her passwords');
  expect(
    (await run(['user', 'set-password', 'GRACE@example.com', '--password-stdin'], 'second of her passwords')).code,
  ).toBe(0);
  await eventually('the end of the session', async () => (await before.client.get('/session')).status === 401);
  const after = await logIn('grace@example.com', 'second of her passwords');
  expect(after.status).toBe(200);
  const { out } = await run(['user', 'list', '--search', 'grace@', '--json']);
  const id = String((JSON.parse(out) as { id: number }[])[0]?.id);
  expect((await run(['user', 'end-sessions', id])).code).toBe(0);
  await eventually('the end of the session', async () => (await after.client.get('/session')).status === 401);
  expect(await run(['user', 'end-sessions', '999999'])).toMatchObject({ code: 1, err: 'There is no user 999999.\n' });
});

/** Of "imported password", at cost 4, under the name that another library would give it. */
const hash = (prefix: string) => `${prefix}$04$abcdefghijklmnopqrstuuyORs7TtHQx.W274qDwbW3DAAYboqWFa`;

test('S10 users are imported with their bcrypt hashes, once however often the file is given, and upgraded at their login', async () => {
  const file = join(system.dataDir, 'users.csv');
  const rows = ['$2a', '$2b', '$2y'].map((prefix, at) => `import${at}@example.com,Im,"Por, ted",,${hash(prefix)}`);
  writeFileSync(file, `\uFEFFemail,first_name,last_name,role,password_hash\r\n${rows.join('\r\n')}\r\n`);
  expect(await run(['user', 'import', file])).toMatchObject({
    code: 0,
    out: '3 created, 0 there already, 0 refused.\n',
  });
  expect(await run(['user', 'import', file])).toMatchObject({
    code: 0,
    out: '0 created, 3 there already, 0 refused.\n',
  });
  for (const at of [0, 1, 2]) {
    expect((await logIn(`import${at}@example.com`, 'not this one')).status).toBe(401);
    expect((await logIn(`import${at}@example.com`, 'imported password')).status).toBe(200);
    // By now it is a hash of our own making.
    expect((await logIn(`import${at}@example.com`, 'imported password')).status).toBe(200);
  }
  expect(system.log()).not.toContain('W274qDwbW3DAAYboqWFa');
});

test('a file with faults imports nobody and names every line', async () => {
  const lines = [
    { email: 'good@example.com', first_name: 'A', last_name: 'B', password_hash: hash('$2b') },
    { email: 'not an address', first_name: 'A', last_name: 'B', password_hash: hash('$2b') },
    { email: 'GOOD@example.com', first_name: 'A', last_name: 'B', password_hash: hash('$2b') },
    { email: 'other@example.com', first_name: 'A', last_name: 'B', password_hash: 'md5:1234' },
    { email: 'none@example.com', first_name: 'A', last_name: 'B' },
    { email: 'more@example.com', first_name: 'A', last_name: 'B', password_hash: hash('$2b'), password: 'x' },
  ];
  const input = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{broken\n`;
  const { code, err } = await run(['user', 'import', '-', '--format', 'jsonl'], input);
  expect(code).toBe(1);
  expect(err.match(/line \d+/g)).toEqual(['line 2', 'line 3', 'line 1', 'line 4', 'line 5', 'line 6', 'line 7']);
  expect(err).not.toContain('md5');
  expect(JSON.parse((await run(['user', 'list', '--search', 'good@', '--json'])).out)).toEqual([]);
});

test('another installation is refused, one that does not run is said to be away', async () => {
  const stranger = { ...system.environment, SERVICE_SECRET: 'x'.repeat(16).concat('abcdefghijklmnop') };
  expect(await latchkey(['user', 'list'], { environment: stranger })).toMatchObject({
    code: 1,
    err: expect.stringContaining('another installation'),
  });
  const away = { ...system.environment, USER_URL: 'http://127.0.0.1:1' };
  expect(await latchkey(['user', 'list'], { environment: away })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Does Latchkey run?'),
  });
});
