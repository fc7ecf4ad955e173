import { createServer } from 'node:http';
import type { FakeServices } from './testing/fake-services.js';
import { newKey, signToken } from './testing/signing.js';
import { type GatewayUnderTest, startGateway } from './testing/start-gateway.js';

let gateway: GatewayUnderTest;
let services: FakeServices;
beforeEach(async () => {
  gateway = await startGateway();
  services = gateway.services;
});
afterEach(() => gateway.stop());

const session = (headers: Record<string, string>) => gateway.request('GET', '/session', { headers });
const logIn = (headers: Record<string, string> = {}) =>
  gateway.request('POST', '/login', { body: { email: 'a@example.com', password: 'right' }, headers });
const cookieOf = (setCookie = '') => ({ cookie: setCookie.split(';', 1)[0] as string });

describe('cookie', () => {
  test('S27 S29 S31 a login sets exactly this cookie, and the token is nowhere else', async () => {
    const answer = await logIn();
    expect(answer.status).toBe(200);
    expect(answer.setCookies).toEqual([
      expect.stringMatching(/^access_token=eyJ[\w.-]+; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(Object.keys(answer.body)).toEqual(['user']);
    expect(answer.text).not.toContain('eyJ');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await session(cookieOf(answer.setCookies[0]))).body.user.id).toBe(7);
  });

  test('S27 S28 over https it is Secure, and a __Host- name works end to end', async () => {
    const secure = await startGateway({ publicUrl: 'https://id.example.com', cookieName: '__Host-access_token' });
    const body = { email: 'a@example.com', password: 'right' };
    const { setCookies } = await secure.request('POST', '/login', { body });
    expect(setCookies).toEqual([
      expect.stringMatching(/^__Host-access_token=eyJ[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    expect((await secure.request('GET', '/session', { headers: cookieOf(setCookies[0]) })).status).toBe(200);
    expect((await secure.request('GET', '/session', { headers: { cookie: 'access_token=x' } })).status).toBe(401);
    await secure.stop();
  });

  test('a refused login sets none', async () => {
    const answer = await gateway.request('POST', '/login', { body: { email: 'a@example.com', password: 'wrong' } });
    expect([answer.status, answer.body.code, answer.setCookies]).toEqual([401, 'credentials-rejected', []]);
  });

  test('of several cookies of the name the first session that stands counts', async () => {
    const ended = services.session();
    services.standing.delete(ended.id);
    const standing = services.session(8);
    const cookie = `access_token=junk; access_token=${ended.token}; access_token="${standing.token}"`;
    expect((await session({ cookie })).body.user.id).toBe(8);
  });

  test('S24 a login is not influenced by the session that is presented', async () => {
    const old = services.session();
    const answer = await logIn(old.headers);
    expect(answer.setCookies[0]).not.toContain(old.token);
  });

  test('a token signed with a key made a moment ago is known at once here', async () => {
    await session(services.session().headers);
    services.key = newKey('k2');
    const answer = await logIn();
    expect((await session(cookieOf(answer.setCookies[0]))).status).toBe(200);
  });
});

describe('session check', () => {
  test('S41 without a valid cookie: 401 with a scheme that opens no dialog', async () => {
    for (const cookie of ['', 'access_token=junk', '%%%;;;==; access_token']) {
      const answer = await session({ cookie });
      expect([answer.status, answer.body.code]).toEqual([401, 'session-required']);
      expect(answer.headers['www-authenticate']).toMatch(/^Session /);
    }
  });

  test('S34 a token that names its own key location makes us connect nowhere', async () => {
    let connections = 0;
    const listener = createServer().on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { port: number };
    const token = signToken(newKey('x'), services.now, {}, { jku: `http://127.0.0.1:${port}/` });
    expect((await session({ cookie: `access_token=${token}` })).status).toBe(401);
    expect(connections).toBe(0);
    listener.close();
  });

  test('within its second a yes costs no call; after it auth is asked again', async () => {
    const { headers, id } = services.session();
    for (let i = 0; i < 5; i += 1) expect((await session(headers)).status).toBe(200);
    expect(services.called('auth.introspectSession')).toHaveLength(1);
    services.standing.delete(id);
    services.now += 999;
    expect((await session(headers)).status).toBe(200);
    services.now += 1;
    expect((await session(headers)).status).toBe(401);
  });

  test('S39 when auth is away nothing passes: 503, and 200 again when it is back', async () => {
    const { headers } = services.session();
    expect((await session(headers)).status).toBe(200);
    services.authDown = true;
    services.now += 1_000;
    for (const path of ['/session', '/user', '/user/7', '/sessions', '/mails']) {
      const answer = await gateway.request('GET', path, { headers });
      expect([path, answer.status, answer.body.code]).toEqual([path, 503, 'service-unavailable']);
    }
    services.authDown = false;
    expect((await session(headers)).status).toBe(200);
  });

  test('the principal of the session travels with the call, whatever headers say', async () => {
    const { headers, id } = services.session(7);
    const forged = { ...headers, 'x-user-id': '1', 'x-forwarded-for': '6.6.6.6', 'accept-language': 'de' };
    await gateway.request('GET', '/user/7', { headers: forged });
    const [{ context, input }] = services.called('users.showUser') as [ReturnType<FakeServices['called']>[number]];
    expect(input).toMatchObject({ params: { id: 7 } });
    expect(context.principal).toEqual({ userId: 7, role: 'member', sessionId: id });
    expect(context.client).toMatchObject({ address: '127.0.0.1', languages: 'de' });
    expect(context.deadline).toBe(services.now + 5_000);
  });

  test('a route open to all learns who asks, and never fails because of a bad cookie or an outage of auth', async () => {
    const reset = (headers: Record<string, string>) =>
      gateway.request('POST', '/reset-password', { headers, body: { email: 'a@example.com' } });
    const { headers, id } = services.session();
    await reset(headers);
    await reset({ cookie: 'access_token=junk' });
    const principals = services.called('auth.requestPasswordReset').map(({ context }) => context.principal);
    expect(principals).toEqual([{ userId: 7, role: 'member', sessionId: id }, null]);
    services.authDown = true;
    services.now += 1_000;
    await reset(headers);
    expect(services.called('auth.requestPasswordReset')).toHaveLength(3);
  });
});

describe('the end of a session', () => {
  test('S38 S40 a logout answers 401, deletes the cookie, ends the session on the server and here at once', async () => {
    const { headers, id } = services.session();
    expect((await session(headers)).status).toBe(200);
    const answer = await gateway.request('GET', '/logout', { headers });
    expect([answer.status, answer.body]).toEqual([401, { message: expect.any(String) }]);
    expect(answer.headers['www-authenticate']).toMatch(/^Session /);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.setCookies).toEqual([
      'access_token=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect(services.standing.has(id)).toBe(false);
    // Within the second that auth's last yes would have been good for.
    expect((await session(headers)).status).toBe(401);
  });

  test('S40 it is the same without a cookie, with junk, and twice', async () => {
    const { headers } = services.session();
    const shown = async (asked: Record<string, string>) => {
      const { status, text, setCookies } = await gateway.request('GET', '/logout', { headers: asked });
      return { status, text, setCookies };
    };
    const first = await shown(headers);
    for (const asked of [headers, {}, { cookie: 'access_token=junk' }]) expect(await shown(asked)).toEqual(first);
  });

  test('an expired but well-signed token still ends its session', async () => {
    const { headers, id } = services.session();
    services.now += 13 * 3_600_000;
    expect((await gateway.request('GET', '/logout', { headers })).status).toBe(401);
    expect(services.standing.has(id)).toBe(false);
  });

  test('a logout that cannot reach auth says so; the browser loses its cookie all the same', async () => {
    const { headers } = services.session();
    services.authDown = true;
    const answer = await gateway.request('GET', '/logout', { headers });
    expect([answer.status, answer.body.code]).toEqual([503, 'service-unavailable']);
    expect(answer.setCookies[0]).toMatch(/^access_token=; Max-Age=0/);
  });

  test('S38 a yes that was in flight when the logout came is void', async () => {
    const { headers } = services.session();
    const reached = new Promise<void>((arrived) => {
      services.beforeAnswer = () => {
        arrived();
        return answered;
      };
    });
    let answerNow: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    const inFlight = session(headers);
    await reached;
    expect((await gateway.request('GET', '/logout', { headers })).status).toBe(401);
    answerNow();
    expect((await inFlight).status).toBe(401);
  });

  test.each<
    [string, (admin: Record<string, string>, own: Record<string, string>, id: string) => Promise<{ status: number }>]
  >([
    ['DELETE /session', (_admin, own) => gateway.request('DELETE', '/session', { headers: own })],
    ['DELETE /sessions/:id', (_admin, own, id) => gateway.request('DELETE', `/sessions/${id}`, { headers: own })],
    ['DELETE /user/:id/sessions', (admin) => gateway.request('DELETE', '/user/7/sessions', { headers: admin })],
    ['S37 DELETE /user/:id', (admin) => gateway.request('DELETE', '/user/7', { headers: admin })],
    ['PUT role', (admin) => gateway.request('PUT', '/user/7', { headers: admin, body: { role: 'admin' } })],
    ['PUT password', (admin) => gateway.request('PUT', '/user/7', { headers: admin, body: { password: 'new one' } })],
    [
      'S59 POST /change-password',
      () =>
        gateway.request('POST', '/change-password', { body: { reset_token: 'ab', user_id: 7, password: 'new one' } }),
    ],
  ])('%s takes effect at once, and for nobody else', async (_name, end) => {
    const own = services.session(7);
    const other = services.session(8);
    const admin = services.session(1, 'admin');
    for (const { headers } of [own, other, admin]) expect((await session(headers)).status).toBe(200);
    const answer = await end(admin.headers, own.headers, own.id);
    expect(answer.status).toBe(200);
    expect((await session(own.headers)).status).toBe(401);
    expect((await session(other.headers)).status).toBe(200);
    expect((await session(admin.headers)).status).toBe(200);
  });

  test('S59 a changed password logs nobody in', async () => {
    const body = { reset_token: 'ab', user_id: 7, password: 'new one' };
    expect((await gateway.request('POST', '/change-password', { body })).setCookies).toEqual([]);
  });

  test('S68 of another user’s session neither the id nor the fact that it stands can be had', async () => {
    const mine = services.session(7);
    const other = services.session(8);
    for (const id of [other.id, 'f'.repeat(32)]) {
      const answer = await gateway.request('DELETE', `/sessions/${id}`, { headers: mine.headers });
      expect([answer.status, answer.body.code]).toEqual([404, 'not-found']);
    }
    expect((await session(other.headers)).status).toBe(200);
  });

  test('when the end is not known to have happened, auth is asked anew', async () => {
    const { headers, id } = services.session();
    expect((await session(headers)).status).toBe(200);
    services.lostAnswers.add('users.deleteUser');
    const admin = services.session(1, 'admin');
    expect((await gateway.request('DELETE', '/user/7', { headers: admin.headers })).status).toBe(503);
    expect(services.standing.has(id)).toBe(false);
    expect((await session(headers)).status).toBe(401);
  });
});

test('the list marks the session that asks', async () => {
  const first = services.session();
  services.session();
  const { body } = await gateway.request('GET', '/sessions', { headers: first.headers });
  expect(body.sessions.map(({ id, current }: { id: string; current: boolean }) => [id === first.id, current])).toEqual([
    [true, true],
    [false, false],
  ]);
});

test('DELETE /session deletes the cookie too', async () => {
  const { headers } = services.session();
  const answer = await gateway.request('DELETE', '/session', { headers });
  expect([answer.status, answer.setCookies]).toEqual([200, [expect.stringMatching(/^access_token=; Max-Age=0/)]]);
});
