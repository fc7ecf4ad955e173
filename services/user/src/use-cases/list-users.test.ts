import { eventually, refusal } from '@latchkey/tests';
import { makeUser } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

let system: RunningUserService;
const ids: Record<string, number> = {};

const people: [string, string, string, string][] = [
  ['emile', 'Émile@Example.org'.replace('É', 'e'), 'Émile', 'Zola'],
  ['strauss', 'richard@example.org', 'Richard', 'Strauß'],
  ['odos', 'odos@example.org', 'ΟΔΟΣΑ', 'Nikos'],
  ['regex', 'a.b+c@example.org', 'J.R.R. (Ron)', '[a-z]*'],
  ['emoji', 'smile@example.org', 'A\ufe0f😀', '\ud842\udfb7野家'],
  ['axb', 'axb@example.org', 'Jxrxr', 'Backslash\\d'],
];

beforeAll(async () => {
  system = await startUserService();
  for (const [name, email, first_name, last_name] of people) {
    ids[name] = (await makeUser(system, { email, first_name, last_name })).id;
  }
  ids.gone = (await makeUser(system, { email: 'gone@example.org', first_name: 'Gone', last_name: 'Girl' })).id;
  await system.users.deleteUser({ params: { id: String(ids.gone) } }, system.admin());
});
afterAll(() => system.stop());

type Query = Parameters<RunningUserService['users']['listUsers']>[0]['query'];
const list = (query: Query = {}, context = system.admin()) => system.users.listUsers({ query }, context);
const found = async (q: string, more: Query = {}) => (await list({ q, ...more })).users.map(({ id }) => id);

test.each([
  ['émi', ['emile']],
  ['E\u0301MI', ['emile']],
  ['ZOLA', ['emile']],
  ['zolam', []],
  ['strauss', ['strauss']],
  ['STRAUSS', ['strauss']],
  ['RICHARD@EX', ['strauss']],
  ['ΟΔΟΣ', ['odos']],
  ['οδος', ['odos']],
  ['odos@', ['odos']],
  ['j.r', ['regex']],
  ['J.R.R. (', ['regex']],
  ['[a-z]*', ['regex']],
  ['[', ['regex']],
  ['a.b+', ['regex']],
  ['backslash\\d', ['axb']],
  ['.*', []],
  ['a\ufe0f', ['emoji']],
  ['\ud842\udfb7', ['emoji']],
  ['\u{10ffff}', []],
  ['ＺＯＬＡ', ['emile']],
  ['ｒｉｃｈａｒｄ＠', ['strauss']],
  ['xample', []],
  ['  zola  ', ['emile']],
])('the prefix %j finds %j', async (q, names) => {
  expect(await found(q)).toEqual(names.map((name) => ids[name]));
});

test('one user is found once, though email and name both match', async () => {
  expect(await found('rich')).toEqual([ids.strauss]);
});

test('a letter finds by email, first and last name', async () => {
  expect(await found('a')).toEqual([ids.regex, ids.emoji, ids.axb]);
});

test('deleted users are listed beside the others only when asked for, and found by the email they had', async () => {
  expect((await list()).users.map(({ id }) => id)).not.toContain(ids.gone);
  const all = (await list({ deleted: 'true' })).users;
  expect(all.map(({ id }) => id)).toEqual(Object.values(ids));
  expect(all.find(({ id }) => id === ids.gone)?.deletedAt).not.toBeNull();
  expect(await found('gone@')).toEqual([]);
  expect(await found('gone@', { deleted: 'true' })).toEqual([ids.gone]);
});

test('who was found by a prefix keeps being found as it grows longer', async () => {
  const { id } = await makeUser(system, { email: 'long@example.net', first_name: 'Quetzalcóatl-Maximilian' });
  for (let length = 1; length <= 'Quetzalcóatl-Maximilian'.length; length++)
    expect(await found('Quetzalcóatl-Maximilian'.slice(0, length))).toEqual([id]);
  expect(await found('Quetzalcóatl-Maximilianx')).toEqual([]);
  await system.users.updateUser({ params: { id: String(id) }, body: { first_name: 'Quet' } }, system.admin());
  expect([await found('quet'), await found('quetz'), await found('quetzalcóatl-m')]).toEqual([[id], [], []]);
  await system.models.users.deleteOne({ _id: id });
});

test('users without grams, as they were written before there were any, are found before they get theirs and after', async () => {
  const gone = ids.gone as number;
  const searches = async () => [await found('a'), await found('gone@', { deleted: 'true' }), await found('gone@')];
  const expected = [[ids.regex, ids.emoji, ids.axb], [gone], []];
  const grams = async () => (await system.models.users.find({}).sort({ _id: 1 }).lean()).map((one) => one.searchGrams);
  const before = await grams();
  await system.models.users.updateMany({ _id: { $in: [ids.emoji as number, gone] } }, { $unset: { searchGrams: 1 } });
  expect(await searches()).toEqual(expected);
  const replica = await system.startReplica();
  await eventually('everybody’s grams', async () => (await grams()).every((own) => own !== undefined));
  expect(await grams()).toEqual(before);
  expect(await searches()).toEqual(expected);
  await replica.service.stop();
});

test('a page of active and deleted users is in the order of ids, too', async () => {
  const { users, next } = await list({ q: 'g', deleted: 'true', limit: '1' });
  const others = [await makeUser(system, { first_name: 'Gwen' }), await makeUser(system, { first_name: 'Gus' })];
  expect([users.map(({ id }) => id), next]).toEqual([[ids.gone], null]);
  expect(await found('g', { deleted: 'true' })).toEqual([ids.gone, ...others.map(({ id }) => id)]);
  const [first, last] = others.map(({ id }) => id) as [number, number];
  expect(await list({ q: 'g', deleted: 'true', limit: '2' })).toMatchObject({ next: first });
  expect(await found('g', { deleted: 'true', limit: '2', after: String(first) })).toEqual([last]);
  await system.models.users.deleteMany({ _id: { $in: [first, last] } });
});

test('a user who is deleted between the readings of a page is on it once, as deleted', async () => {
  const { id } = await makeUser(system, { first_name: 'Xerxes' });
  const { users } = system.models;
  const find = users.find.bind(users) as (filter: object) => ReturnType<typeof users.find>;
  const spy = jest.spyOn(users, 'find').mockImplementation(((filter: { state?: string }) => {
    const query = find(filter);
    const read = query.exec.bind(query);
    if (filter.state === 'deleted') {
      query.exec = async () => {
        await system.users.deleteUser({ params: { id: String(id) } }, system.admin());
        return read();
      };
    }
    return query;
  }) as never);
  const found = (await list({ q: 'xerxes', deleted: 'true' })).users;
  spy.mockRestore();
  expect(found).toMatchObject([{ id, deletedAt: expect.any(String) }]);
  await users.deleteOne({ _id: id });
});

test('pages by ascending id; the last one has no next', async () => {
  const seen: number[] = [];
  let query: Query = { limit: '4' };
  for (let page = 0; page < 10; page++) {
    const { users, next } = await list(query);
    seen.push(...users.map(({ id }) => id));
    if (next === null) break;
    expect(users).toHaveLength(4);
    expect(next).toBe(users.at(-1)?.id);
    query = { limit: '4', after: String(next) };
  }
  expect(seen).toEqual(Object.values(ids).filter((id) => id !== ids.gone));
});

test('a page that ends exactly at the last user has no next', async () => {
  expect((await list({ limit: '6' })).next).toBeNull();
  expect((await list({ after: String(Number.MAX_SAFE_INTEGER) })).users).toEqual([]);
});

test('a search is paged too', async () => {
  const first = await list({ q: 'a', limit: '2' });
  expect(first.users.map(({ id }) => id)).toEqual([ids.regex, ids.emoji]);
  const second = await list({ q: 'a', limit: '2', after: String(first.next) });
  expect(second).toMatchObject({ users: [{ id: ids.axb }], next: null });
});

test.each([
  { limit: '0' },
  { limit: '201' },
  { limit: 'x' },
  { after: '-1' },
  { q: '' },
  { deleted: 'maybe' },
  { sort: 'email' },
])('%j is refused', async (query) => {
  expect(await refusal(list(query as Query))).toMatchObject({ code: 'validation-failed' });
});

test('S68 a member does not list', async () => {
  expect(await refusal(list({}, system.as(ids.emile as number)))).toMatchObject({ code: 'forbidden', status: 403 });
});

test('S68 a member sees itself, and 403 for any other id, existing or not', async () => {
  const show = (id: number) =>
    system.users.showUser({ params: { id: String(id) }, query: {} }, system.as(ids.emile as number));
  expect((await show(ids.emile as number)).user.first_name).toBe('Émile');
  const answers = await Promise.all(
    [ids.strauss as number, ids.gone as number, 999_999].map((id) => refusal(show(id))),
  );
  expect(answers[0]).toMatchObject({ code: 'forbidden' });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

test.each(['0', '-1', 'abc', '1.5', '99999999999999999999', '1e3'])('S68 the malformed id %s is 400', async (id) => {
  const shown = system.users.showUser({ params: { id }, query: {} }, system.admin());
  expect(await refusal(shown)).toMatchObject({ code: 'validation-failed' });
});
