import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { StandaloneProcess } from '../support/standalone-process.js';

const root = resolve(__dirname, '../..');
const program = join(root, '.build/schemathesis', process.platform === 'win32' ? 'Scripts/st.exe' : 'bin/st');
const reports = join(root, '.build/schemathesis-report');

/** They end the very session that the others are tried with, so they are tried on their own. */
const enders = ['logOut', 'endSession'];

let system: StandaloneProcess;
let admin: Person;
beforeAll(async () => {
  mkdirSync(reports, { recursive: true });
  system = await StandaloneProcess.create();
  await system.start();
  admin = await logIn(system.adminCredentials);
}, 60_000);
afterAll(() => system.dispose());

/** Somebody who is logged in. `own`: ids of the session and its user. */
interface Person {
  readonly client: ApiClient;
  readonly token: string;
  readonly own: readonly string[];
}

async function logIn(credentials: { email: string; password: string }): Promise<Person> {
  const client = system.client();
  expect((await client.post('/login', credentials)).status).toBe(200);
  const { user, session } = (await client.get('/session')).body;
  return { client, token: (await client.token()) as string, own: [String(user.id), session.id] };
}

/**
 * Tries every operation of the document that `filter` names, with what the document allows and with what it forbids. Resolves with the exit code and what was printed.
 * The one check left out is that all allowed data is accepted: rules such as "no common passwords" are no part of a schema.
 */
async function tryOut(
  name: string,
  filter: readonly string[],
  person?: Person,
): Promise<{ code: number; text: string }> {
  const identity = person && { LATCHKEY_TOKEN: person.token, LATCHKEY_OWN: person.own.join(',') };
  const child = spawn(
    program,
    [
      'run',
      `${system.url}/openapi.json`,
      ...['--url', system.url, '--checks', 'all', '--exclude-checks', 'positive_data_acceptance'],
      ...['--max-examples', '20', '--seed', '7', '--continue-on-failure', '--request-timeout', '20', '--no-color'],
      ...['--report', 'junit', '--report-junit-path', join(reports, `${name}.xml`), '--warnings', 'off'],
      ...filter,
    ],
    {
      cwd: reports,
      env: {
        ...process.env,
        PYTHONPATH: __dirname,
        SCHEMATHESIS_HOOKS: 'hooks',
        ...identity,
      },
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const code = await new Promise<number>((done, fail) =>
    child.once('error', fail).once('close', (status) => done(status ?? 1)),
  );
  return { code, text };
}

/** The failures alone, so that a red test says what was found. */
function findings({ code, text }: { code: number; text: string }): string {
  if (code === 0) return '';
  const start = text.search(/=+ (ERRORS|FAILURES) =+/);
  return start === -1 ? text : text.slice(start);
}

const tested = (text: string) => Number(/Tested: +(\d+)/.exec(text)?.[1]);
const without = (operations: readonly string[]) => operations.flatMap((id) => ['--exclude-operation-id', id]);
const only = (operations: readonly string[]) => operations.flatMap((id) => ['--include-operation-id', id]);

/** A run takes about half a minute alone; the machine may be busy. */
const patience = 170_000;

test(
  'without a session: no 5xx, no undocumented status, no broken schema',
  async () => {
    const run = await tryOut('nobody', []);
    expect(findings(run)).toBe('');
    expect(tested(run.text)).toBeGreaterThan(30);
  },
  patience,
);

test(
  'as an admin: no 5xx, no undocumented status, no broken schema',
  async () => {
    const run = await tryOut('admin', without(enders), admin);
    expect(findings(run)).toBe('');
    expect(tested(run.text)).toBeGreaterThan(28);
    // It was the admin to the end: nothing that was tried took the session or its rights away.
    expect((await admin.client.get('/mails')).status).toBe(200);
  },
  patience,
);

test(
  'as a member: no 5xx, no undocumented status, no broken schema, also where a session ends',
  async () => {
    const credentials = { email: 'member@example.com', password: 'quite another phrase' };
    const created = await admin.client.post('/user', { ...credentials, first_name: 'A', last_name: 'Member' });
    expect(created.status).toBe(201);
    const member = await logIn(credentials);
    const run = await tryOut('member', without(enders), member);
    expect(findings(run)).toBe('');
    expect((await member.client.get('/session')).status).toBe(200);
    const ending = await tryOut('ending', only(enders), member);
    expect(findings(ending)).toBe('');
    expect(tested(ending.text)).toBe(enders.length);
    expect((await member.client.get('/session')).status).toBe(401);
  },
  patience,
);
