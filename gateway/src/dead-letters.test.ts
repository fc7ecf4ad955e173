import type { DeadLetter, deadLetterApi } from '@latchkey/contracts';
import { Problem } from '@latchkey/kit';
import { FakeServices, fakeClient } from './testing/fake-services.js';
import { startGateway } from './testing/start-gateway.js';

/** A service with dead letters that died at these seconds; its cursor is its own affair. */
function keeper(services: FakeServices, name: string, seconds: readonly number[]) {
  const letters: DeadLetter[] = seconds.map((second) => ({
    id: `${name}.some-use-case:${second}`,
    service: name,
    queue: `${name}.some-use-case`,
    event: null,
    reason: 'it threw',
    attempts: 10,
    died_at: new Date(services.now - second * 1000).toISOString(),
    replayed_at: null,
    request_id: null,
  }));
  return fakeClient<typeof deadLetterApi>(services, name, {
    listDeadLetters: async ({ query }) => {
      const start = query.after === undefined ? 0 : Number(query.after.slice(1));
      const end = start + Number(query.limit);
      return { dead_letters: letters.slice(start, end), next: end < letters.length ? `#${end}` : null };
    },
    showDeadLetter: async ({ params }) => {
      const found = letters.find(({ id }) => id === params.id);
      if (found === undefined) throw new Problem('not-found');
      return { dead_letter: found };
    },
    replayDeadLetter: async () => ({ message: `replayed by ${name}` }),
  });
}

async function setUp() {
  const services = new FakeServices();
  services.deadLetters = {
    auth: keeper(services, 'auth', [1, 4, 5, 9]),
    mailer: keeper(services, 'mailer', [2, 3, 6, 7, 8, 10, 11]),
    user: keeper(services, 'user', []),
    // Consumes nothing, so it has no list at all.
    payment: fakeClient<typeof deadLetterApi>(services, 'payment', {
      listDeadLetters: async () => Promise.reject(new Problem('not-found')),
    }),
  };
  const gateway = await startGateway({}, services);
  const { headers } = services.session(1, 'admin');
  return { gateway, get: (path: string) => gateway.request('GET', path, { headers }), headers };
}

test.each([1, 2, 3, 4, 5, 11, 200])(
  'the lists of all services are one, newest first, in pages of %i',
  async (limit) => {
    const { gateway, get } = await setUp();
    const seen: number[] = [];
    let after = '';
    for (let page = 0; page < 20; page += 1) {
      const { status, body } = await get(`/dead-letters?limit=${limit}${after}`);
      expect(status).toBe(200);
      expect(body.dead_letters.length).toBeLessThanOrEqual(limit);
      seen.push(...body.dead_letters.map(({ id }: DeadLetter) => Number(id.split(':')[1])));
      if (body.next === null) break;
      after = `&after=${encodeURIComponent(body.next)}`;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    await gateway.stop();
  },
);

test.each(['junk', '%00', 'bnVsbA', Buffer.from('{"auth":1}').toString('base64url')])(
  'a cursor that is none of ours is 400: %s',
  async (after) => {
    const { gateway, get } = await setUp();
    const answer = await get(`/dead-letters?after=${after}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation-failed']);
    await gateway.stop();
  },
);

test('one is shown and replayed by the service that keeps it; others are 404', async () => {
  const { gateway, get, headers } = await setUp();
  expect((await get('/dead-letters/mailer.some-use-case:3')).body.dead_letter.service).toBe('mailer');
  const replayed = await gateway.request('POST', '/dead-letters/auth.some-use-case:4/replay', { headers });
  expect(replayed.body).toEqual({ message: 'replayed by auth' });
  for (const id of ['auth.some-use-case:3', 'nobody.x:1', '__proto__', 'constructor.x']) {
    expect([id, (await get(`/dead-letters/${id}`)).status]).toEqual([id, 404]);
  }
  await gateway.stop();
});

test('every service is asked for what one request led to, on every page of it', async () => {
  const { gateway, get } = await setUp();
  const { next } = (await get('/dead-letters?limit=1&request_id=request-1')).body;
  await get(`/dead-letters?limit=1&request_id=request-1&after=${next}`);
  const asked = gateway.services.calls.filter(({ name }) => name.endsWith('.listDeadLetters'));
  expect(asked.length).toBeGreaterThan(4);
  for (const { input } of asked) expect(input).toMatchObject({ query: { request_id: 'request-1' } });
  await gateway.stop();
});
