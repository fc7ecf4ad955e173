// Bad input never gives a 5xx and changes nothing: generated and hand-picked bodies at every route of the public interface.
import { fields, publicApi } from '@latchkey/contracts';
import fc from 'fast-check';
import type { ApiClient } from '../support/api-client.js';
import { type System, startSystem } from '../support/system.js';

let system: System;
let admin: ApiClient;
let victim: { id: number; email: string; password: string };
beforeAll(async () => {
  system = await startSystem();
  admin = await system.admin();
  victim = await system.givenUser({ password: 'correct horse battery' });
});
afterAll(() => system.stop());

const nasty: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\r\nBcc: x@y.example',
  '%0d%0aBcc:',
  'ａ@ｂ.example',
  'x'.repeat(5000),
  '{{constructor}}',
  '../../etc/passwd',
  "' or 1=1 --",
  [],
  [[]],
  {},
  { $ne: null },
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { toString: 'x' },
];

/** What the world looks like to an administrator: it must be the same before and after. */
async function worldOf(): Promise<unknown> {
  const users = await admin.get('/user?limit=200');
  const deleted = await admin.get('/user?limit=200&deleted=true');
  const mails = await admin.get('/mails?limit=200');
  return { users: users.body, deleted: deleted.body, mails: mails.body };
}

const value = fc.oneof(
  fc.constantFrom(...nasty),
  fc.json().map((text) => JSON.parse(text)),
  fc.string({ unit: 'binary' }),
);
const fieldNames = [
  'email',
  'password',
  'reset_token',
  'user_id',
  'first_name',
  'last_name',
  'role',
  'current_password',
  'confirm_token',
  'disown_token',
];
const field = fc.oneof(
  fc.constantFrom(...fieldNames, '__proto__', 'constructor', '$where', '_id', 'version', 'outbox'),
  fc.string(),
);
/** Bodies as text, so that `__proto__` and duplicate keys arrive as they are. */
const bodyText = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.tuple(field, value), { maxLength: 6 }).map(toJsonText) },
  { weight: 2, arbitrary: value.map((one) => JSON.stringify(one) ?? '') },
  { weight: 1, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{', '{"email":', '[1,', '"', 'nul', '{"a":1}{"b":2}', '\ufeff{}', '{"a":01}'),
  },
);

function toJsonText(entries: [string, unknown][]): string {
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one) ?? 'null'}`).join(',')}}`;
}

const idText = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '1e3',
    '99999999999999999999',
    'null',
    'undefined',
    '%00',
    '%E0%A4%A',
    '__proto__',
    '1;DROP',
    'a%2Fb',
    '１',
  ),
  // `DELETE /user/1/sessions` is no bad input: it ends the session of this test.
  fc
    .string({ minLength: 1 })
    .filter((id) => !fields.userIdInPath.safeParse(id).success)
    .map(encodeURIComponent),
);

// Those that would be valid with a nasty but legal value change something by right; their bodies are made invalid below.
const routes = Object.values(publicApi);

test('no generated body at any route gives a 5xx, and none changes anything', async () => {
  const before = await worldOf();
  const seed = Date.now(); // fast-check tells it only when an answer was wrong, not when the world changed
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...routes),
      bodyText,
      idText,
      fc.boolean(),
      async (endpoint, text, id, withSession) => {
        const path = endpoint.path.replace(/:\w+/g, id);
        if (endpoint.method === 'DELETE' && !endpoint.path.includes(':')) return; // DELETE /session takes no input to be wrong about
        if (endpoint.method === 'GET' && endpoint.path === '/logout') return;
        const client = withSession ? admin : system.client();
        const answer = await client.request(
          endpoint.method,
          path,
          undefined,
          endpoint.method === 'GET' ? {} : { raw: text },
        );
        expect({ path, text, status: answer.status }).toEqual({ path, text, status: expect.not.toBeAtLeast500() });
        if (answer.status >= 400)
          expect(answer.body).toMatchObject({
            status: answer.status,
            code: expect.any(String),
            request_id: expect.any(String),
          });
      },
    ),
    { numRuns: 600, seed },
  );
  expect({ seed, world: await worldOf() }).toEqual({ seed, world: before });
}, 120_000);

test.each([
  ['POST', '/login', { email: { $ne: null }, password: { $ne: null } }],
  ['POST', '/login', { email: ['a@example.com'], password: 'x' }],
  ['POST', '/reset-password', { email: 'a@b.example\r\nBcc: x@y.example' }],
  ['POST', '/change-password', { reset_token: { $ne: null }, user_id: 1, password: 'long enough one' }],
  ['POST', '/change-password', { reset_token: 'ab', user_id: '1', password: 'long enough one' }],
  ['POST', '/change-password', { reset_token: 'zz', user_id: 1, password: 'long enough one' }],
  ['POST', '/user', { email: 'p@example.com', first_name: 'A', last_name: 'B', passwordHash: 'x' }],
  ['POST', '/user', { email: 'p@example.com', first_name: 'A\r\nB', last_name: 'B' }],
  ['POST', '/user', undefined],
  ['PUT', '/user/1', {}],
  ['PUT', '/user/1', { _id: 7, first_name: 'X' }],
  ['PUT', '/user/1', { payment_customer_id: 'cus_1' }],
])('S55 S61 S69 P24 %s %s refuses %j with 400 and names the fault', async (method, path, body) => {
  const before = await worldOf();
  const answer = await admin.request(method, path, body);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    code: 'validation-failed',
    errors: expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]),
  });
  expect(await worldOf()).toEqual(before);
});

test.each([
  'limit=5&limit=6',
  'limit[]=5',
  'limit[$gt]=5',
  'limit=0x10',
  'limit=1e2',
  'limit=5%00',
  'after=-1',
  'after=1&after=2',
  'after=99999999999999999999',
  'deleted=TRUE',
  'deleted=true&deleted=false',
  'q=a&q=b',
  'q[$regex]=.*',
  '__proto__=1',
  'constructor[prototype][role]=admin',
  'unknown=1',
])('P25 a query that is repeated, nested, unknown or out of range is refused: ?%s', async (query) => {
  const answer = await admin.get(`/user?${query}`);
  expect([answer.status, answer.body.code]).toEqual([400, 'validation-failed']);
});

test.each(['(a+)+$', '.*', '%', '_', '[', '\\\\', '$where', '\u0000'])(
  'S69 P25 a search is for text, never a pattern: %j',
  async (q) => {
    const answer = await admin.get(`/user?q=${encodeURIComponent(q)}`);
    expect([answer.status, answer.body.users]).toEqual([200, []]);
  },
);

test('S69 prototype keys are refused and pollute nothing', async () => {
  for (const raw of [
    '{"__proto__":{"role":"admin"},"first_name":"X"}',
    '{"constructor":{"prototype":{"role":"admin"}},"first_name":"X"}',
  ]) {
    const answer = await admin.put(`/user/${victim.id}`, undefined, { raw });
    expect(answer.status).toBe(400);
  }
  expect(({} as { role?: string }).role).toBeUndefined();
  expect((await admin.get(`/user/${victim.id}`)).body.user).toMatchObject({ first_name: 'Grace', role: 'member' });
});

expect.extend({
  toBeAtLeast500: (status: number) => ({ pass: status >= 500, message: () => `status ${status}` }),
});
declare global {
  namespace jest {
    interface InverseAsymmetricMatchers {
      toBeAtLeast500(): number;
    }
    interface Expect {
      toBeAtLeast500(): number;
    }
  }
}
