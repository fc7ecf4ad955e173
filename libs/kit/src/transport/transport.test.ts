import type { CallContext } from '../call-context.js';
import { Problem } from '../problem.js';
import { createClient } from './client.js';
import { api, context, direct, overHttp, type Rows, stopAll } from './transport.fixture.js';

afterEach(stopAll);

describe.each([
  ['direct', direct],
  ['http', overHttp],
])('transport conformance: %s', (_name, setUp) => {
  const client = async (rows: Rows = {}) => createClient(api, await setUp(rows));
  const input = (text = 'x') => ({ params: { id: 'a' }, query: {}, body: { text } });

  test('input arrives parsed, with defaults, whatever characters it holds', async () => {
    const odd = 'ü/?#%2F &+"\\ \u{1f511}';
    const { echo } = await client();
    expect(await echo({ params: { id: odd }, query: { limit: '7', q: odd }, body: { text: odd } }, context())).toEqual({
      id: odd,
      limit: 7,
      q: odd,
      text: odd,
    });
    expect(await echo(input(), context())).toMatchObject({ limit: 50, q: null });
  });

  test('what JSON cannot carry does not arrive: undefined members are gone', async () => {
    let seen: unknown;
    const { echo } = await client({
      echo: async ({ body }) => {
        seen = Object.keys(body);
        return { id: 'a', limit: 1, q: null, text: 'x', extra: 'dropped' } as never;
      },
    });
    const answer = await echo({ ...input(), body: { text: 'x', note: undefined } }, context());
    expect(seen).toEqual(['text']);
    expect(answer).toEqual({ id: 'a', limit: 1, q: null, text: 'x' });
  });

  test('P24 unknown fields, wrong types and a missing body are validation-failed with every fault', async () => {
    const { echo } = await client();
    const wrong = { params: { id: 'a' }, query: { page: '1' }, body: { text: 5, role: 'admin' } } as never;
    await expect(echo(wrong, context())).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [
        { path: 'query.page', message: 'is not a known field' },
        { path: 'body.text', message: expect.any(String) },
        { path: 'body.role', message: 'is not a known field' },
      ],
    });
    await expect(echo({ params: { id: 'a' }, query: {} } as never, context())).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ path: 'body', message: 'is required' }],
    });
  });

  test('S69 __proto__ and constructor in a body are refused and pollute nothing', async () => {
    const { echo } = await client();
    for (const text of ['{"text":"x","__proto__":{"polluted":1}}', '{"text":"x","constructor":{"prototype":{}}}'])
      await expect(echo({ ...input(), body: JSON.parse(text) }, context())).rejects.toMatchObject({
        code: 'validation-failed',
      });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('an empty path parameter is another path; one that is no Unicode text is not valid', async () => {
    const { echo } = await client();
    await expect(echo({ ...input(), params: { id: '' } }, context())).rejects.toMatchObject({ code: 'not-found' });
    await expect(echo({ ...input(), params: { id: '\ud800' } }, context())).rejects.toMatchObject({
      code: 'validation-failed',
    });
  });

  test('S74 principal, client and request id arrive as they were given', async () => {
    let seen: CallContext | undefined;
    const { context: call } = await client({
      context: async (_input, given) => {
        seen = given;
        return { requestId: given.requestId };
      },
    });
    const given = context();
    await call({}, given);
    expect(seen).toMatchObject({ requestId: given.requestId, principal: given.principal, client: given.client });
    expect(Math.abs((seen?.deadline ?? 0) - given.deadline)).toBeLessThan(1000);
    await call({}, context({ principal: null, client: { address: 'system', userAgent: null, languages: null } }));
    expect(seen?.principal).toBeNull();
  });

  test('a client text of any length arrives, cut to what a header carries', async () => {
    let seen: CallContext | undefined;
    const { context: call } = await client({
      context: async (_input, given) => {
        seen = given;
        return { requestId: given.requestId };
      },
    });
    await call({}, context({ client: { address: '::1', userAgent: 'u'.repeat(15_000), languages: null } }));
    expect(seen?.client.userAgent).toHaveLength(512);
  });

  test('a refusal comes back as the same Problem', async () => {
    const { fail } = await client({
      fail: async () => {
        throw new Problem('rate-limited', {
          detail: 'Too many logins',
          limit: 'login-account',
          retryAfter: 4,
          errors: [{ path: 'body.email', message: 'no' }],
        });
      },
    });
    const refusal: unknown = await fail({}, context()).catch((error) => error);
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({
      code: 'rate-limited',
      status: 429,
      message: 'Too many logins',
      limit: 'login-account',
      retryAfter: 4,
      errors: [{ path: 'body.email', message: 'no' }],
    });
  });

  test('S72 an error that is no Problem becomes internal-error without its text', async () => {
    const { fail } = await client({ fail: () => Promise.reject(new Error('password=hunter2')) });
    const refusal = await fail({}, context()).catch((error: Problem) => error);
    expect(refusal).toMatchObject({ code: 'internal-error', message: 'Something went wrong on our side' });
  });

  test('an error thrown before the first await is no different', async () => {
    const { fail } = await client({
      fail: () => {
        throw new TypeError('oops');
      },
    });
    await expect(fail({}, context())).rejects.toMatchObject({ code: 'internal-error' });
  });

  test('an answer that breaks the contract is internal-error', async () => {
    const { fail } = await client({ fail: async () => ({ ok: 'yes' }) as never });
    await expect(fail({}, context())).rejects.toMatchObject({ code: 'internal-error' });
  });

  test('F15 a handler that runs past the deadline is service-unavailable', async () => {
    const { fail } = await client({ fail: () => new Promise(() => {}) });
    await expect(fail({}, context({ deadline: Date.now() + 60 }))).rejects.toMatchObject({
      code: 'service-unavailable',
    });
  });

  test('past its deadline a call is not begun', async () => {
    let calls = 0;
    const { fail } = await client({
      fail: async () => {
        calls += 1;
        return { ok: true };
      },
    });
    await expect(fail({}, context({ deadline: Date.now() - 1 }))).rejects.toMatchObject({
      code: 'service-unavailable',
    });
    expect(calls).toBe(0);
  });

  test('an operation that the other side does not have is not-found', async () => {
    const { fail } = await client();
    await expect(fail({}, context())).rejects.toMatchObject({ code: 'not-found' });
  });

  test('a service’s handler has no HTTP exchange', async () => {
    const { fail } = await client({
      fail: async (_input, _context, exchange) => {
        exchange.status(500);
        return { ok: true };
      },
    });
    await expect(fail({}, context())).rejects.toMatchObject({ code: 'internal-error' });
  });
});
