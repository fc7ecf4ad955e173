// The contract with clients, row by row, through the gateway of the whole system.
import { type System, startSystem } from '../support/system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const password = 'correct horse battery';

describe('POST /login', () => {
  test('answers { user } with exactly the documented fields and sets a browser session cookie with a JWT', async () => {
    const { email } = await system.givenUser({ password });
    const client = system.client();
    const answer = await client.post('/login', { email, password });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: {
        id: expect.any(Number),
        first_name: 'Grace',
        last_name: 'Hopper',
        email,
        password: null,
        password_reset_hash: null,
        payment_customer_id: null,
        role: 'member',
        deletedAt: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(Number.isInteger(answer.body.user.id)).toBe(true);
    expect(answer.setCookies).toHaveLength(1);
    const [value, ...attributes] = (answer.setCookies[0] as string).split('; ');
    expect(value).toMatch(/^access_token=[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax']);
  });

  test('S14 a wrong password and an unknown email are refused alike', async () => {
    const { email } = await system.givenUser({ password });
    const wrong = await system.client().post('/login', { email, password: 'not the password' });
    const unknown = await system.client().post('/login', { email: 'nobody@example.com', password });
    expect(wrong.status).toBe(401);
    expect({ ...wrong.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    expect(wrong.body.code).toBe('credentials-rejected');
    expect(wrong.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(wrong.setCookies).toEqual([]);
  });

  test('the email is the login name whatever its case', async () => {
    const { email } = await system.givenUser({ password });
    expect((await system.client().post('/login', { email: email.toUpperCase(), password })).status).toBe(200);
  });
});

describe('GET /logout', () => {
  test('answers 401, deletes the cookie, and later calls are no longer authenticated', async () => {
    const user = await system.givenUser({ password });
    const client = await system.loggedIn(user);
    const copy = (await client.token()) as string;
    const answer = await client.get('/logout', { headers: { 'content-type': 'application/json' } });

    expect(answer.status).toBe(401);
    expect(answer.setCookies).toHaveLength(1);
    expect(answer.setCookies[0]).toMatch(/^access_token=;/);
    expect(await client.token()).toBeUndefined();
    expect((await client.get(`/user/${user.id}`)).status).toBe(401);
    // S38: the token itself is worth nothing any more, not only the jar is empty.
    const replay = await system.client().get(`/user/${user.id}`, { headers: { cookie: `access_token=${copy}` } });
    expect(replay.status).toBe(401);
  });

  test('is the same without a cookie', async () => {
    const answer = await system.client().get('/logout');
    expect(answer.status).toBe(401);
    expect(answer.setCookies[0]).toMatch(/^access_token=;/);
  });
});

describe('protected routes', () => {
  test.each([
    ['POST', '/user'],
    ['PUT', '/user/1'],
    ['DELETE', '/user/1'],
    ['GET', '/user/1'],
    ['GET', '/user'],
  ])('%s %s requires the JWT cookie', async (method, path) => {
    const answer = await system
      .client()
      .request(method, path, method === 'GET' || method === 'DELETE' ? undefined : {});
    expect(answer.status).toBe(401);
    expect(answer.body.code).toBe('session-required');
    expect(answer.headers.get('www-authenticate')).not.toMatch(/basic/i);
  });

  test('POST /user creates, GET shows, PUT changes, DELETE deletes, GET lists', async () => {
    const admin = await system.admin();
    const created = await admin.post('/user', {
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      password: 'analytical engine',
    });
    expect(created.status).toBe(201);
    const { id } = created.body.user;
    expect(created.headers.get('location')).toBe(`/user/${id}`);

    expect((await admin.get(`/user/${id}`)).body).toEqual(created.body);
    const changed = await admin.put(`/user/${id}`, { last_name: 'King' });
    expect(changed.status).toBe(200);
    expect(changed.body.user).toMatchObject({ id, first_name: 'Ada', last_name: 'King' });

    const listed = await admin.get('/user?limit=200');
    expect(listed.status).toBe(200);
    expect(listed.body.users.map((user: { id: number }) => user.id)).toContain(id);

    const deleted = await admin.delete(`/user/${id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body.user.deletedAt).toEqual(expect.any(String));
    expect((await admin.get(`/user/${id}`)).status).toBe(404);
    expect((await admin.get(`/user/${id}?deleted=true`)).body.user.id).toBe(id);
    expect(
      (await system.client().post('/login', { email: 'ada@example.com', password: 'analytical engine' })).status,
    ).toBe(401);
  });

  test('an email is unique among users that are not deleted, whatever its case', async () => {
    const admin = await system.admin();
    const names = { first_name: 'A', last_name: 'B' };
    const first = await admin.post('/user', { email: 'twice@example.com', ...names, password });
    const second = await admin.post('/user', { email: 'Twice@Example.com', ...names, password });
    expect([first.status, second.status, second.body.code]).toEqual([201, 409, 'email-taken']);
    await admin.delete(`/user/${first.body.user.id}`);
    expect((await admin.post('/user', { email: 'twice@example.com', ...names, password })).status).toBe(201);
  });
});

describe('GET /health', () => {
  test('answers for every service without a cookie', async () => {
    const answer = await system.client().get('/health');
    expect(answer.status).toBe(200);
    expect(answer.body.status).toBe('ok');
    expect(Object.keys(answer.body.services)).toEqual(expect.arrayContaining(['auth', 'user', 'mailer']));
    for (const service of Object.values(answer.body.services))
      expect(service).toMatchObject({ status: 'ok', checks: {} });
  });
});
