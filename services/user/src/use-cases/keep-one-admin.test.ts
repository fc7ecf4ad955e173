import { Problem } from '@latchkey/kit';
import { eventually, refusal } from '@latchkey/tests';
import { makeUser } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

let system: RunningUserService;
beforeEach(async () => {
  system = await startUserService();
});
afterEach(() => system.stop());

const demote = (id: number, by: number) =>
  system.users.updateUser({ params: { id: String(id) }, body: { role: 'member' } }, system.as(by, 'admin'));
const remove = (id: number, by: number) =>
  system.users.deleteUser({ params: { id: String(id) } }, system.as(by, 'admin'));
const promote = (id: number) =>
  system.users.updateUser({ params: { id: String(id) }, body: { role: 'admin' } }, system.admin());
/** Their ids, the lowest first: who is made at once with others may get any. */
async function makeAdmins(count: number): Promise<number[]> {
  const made = await Promise.all(Array.from({ length: count }, () => makeUser(system, { role: 'admin' })));
  return made.map(({ id }) => id).sort((one, other) => one - other);
}

async function activeAdmins(): Promise<number[]> {
  const admins = await system.models.users.find({ state: 'active', role: 'admin' }, { _id: 1 }).lean();
  return admins.map(({ _id }) => _id).sort((one, other) => one - other);
}

async function roster(): Promise<number[]> {
  const found = await system.models.rosters.findById('admins').lean();
  return [...(found?.ids ?? [])].sort((one, other) => one - other);
}

/** The invariant: whoever is in the roster is an active admin. */
async function expectSoundRoster() {
  const admins = await activeAdmins();
  expect(admins).toEqual(expect.arrayContaining(await roster()));
  expect(admins.length).toBeGreaterThanOrEqual(1);
}

const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as Problem).code)).sort();

test('the last active admin is neither demoted nor deleted, by itself neither', async () => {
  const [only] = await makeAdmins(1);
  for (const act of [demote, remove]) {
    expect(await refusal(act(only as number, only as number))).toMatchObject({ code: 'last-admin', status: 409 });
  }
  expect(await activeAdmins()).toEqual([only]);
  expect(await roster()).toEqual([only]);
});

test.each([
  ['demote', 'demote'],
  ['delete', 'delete'],
  ['demote', 'delete'],
])('two admins who %s and %s each other at once: exactly one succeeds', async (first, second) => {
  const act = { demote, delete: remove };
  for (let round = 0; round < 10; round++) {
    const [one, other] = round === 0 ? await makeAdmins(2) : [(await activeAdmins())[0], ...(await makeAdmins(1))];
    const results = await Promise.allSettled([
      act[first as 'demote'](other as number, one as number),
      act[second as 'demote'](one as number, other as number),
    ]);
    expect(codes(results)).toEqual(['last-admin', 'ok']);
    expect(await activeAdmins()).toHaveLength(1);
    await expectSoundRoster();
  }
});

test('20 admins who remove each other in a ring at once: 19 go, one stays', async () => {
  const admins = await makeAdmins(20);
  const results = await Promise.allSettled(
    admins.map((id, at) => (at % 2 === 0 ? demote : remove)(admins[(at + 1) % 20] as number, id)),
  );
  expect(codes(results).filter((code) => code === 'ok')).toHaveLength(19);
  expect(codes(results).filter((code) => code === 'last-admin')).toHaveLength(1);
  expect(await activeAdmins()).toHaveLength(1);
  await expectSoundRoster();
});

test('20 parallel requests to remove two admins: exactly one of the two goes', async () => {
  const [one, other] = (await makeAdmins(2)) as [number, number];
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? remove(one, other) : remove(other, one))),
  );
  expect(codes(results).filter((code) => code === 'ok')).toHaveLength(1);
  expect(await activeAdmins()).toHaveLength(1);
  await expectSoundRoster();
});

test('promotions and demotions at once never leave a member in the roster', async () => {
  await makeAdmins(1);
  const { id } = await makeUser(system);
  for (let round = 0; round < 15; round++) {
    await Promise.allSettled([promote(id), demote(id, 0), promote(id), demote(id, 0)]);
    await expectSoundRoster();
  }
});

test('an admin whom a sweep enrols in the middle of its demotion is out of the roster in the end', async () => {
  const [one, other] = (await makeAdmins(2)) as [number, number];
  system.auth.before = async ({ method }) => {
    if (method !== 'setPassword') return;
    expect(await roster()).toEqual([other]);
    const replica = await system.startReplica();
    await eventually('the sweep to enrol both', async () => (await roster()).length === 2);
    await replica.service.stop();
  };
  const body = { role: 'member' as const, password: 'a new battery' };
  await system.users.updateUser({ params: { id: String(one) }, body }, system.as(other, 'admin'));
  expect(await roster()).toEqual([other]);
  expect(system.auth.names().filter((name) => name === `setPassword ${one}`)).toHaveLength(2);
  expect(await refusal(demote(other, other))).toMatchObject({ code: 'last-admin' });
});

test('an enrolment that a whole demotion overtakes adds nobody', async () => {
  const [only] = (await makeAdmins(1)) as [number];
  const { id } = await makeUser(system);
  const { rosters } = system.models;
  const update = rosters.updateOne.bind(rosters);
  let demotion: Promise<unknown> | undefined;
  const spy = jest.spyOn(rosters, 'updateOne').mockImplementation(((...args: Parameters<typeof update>) => {
    const adds = JSON.stringify(args[1]).includes('$addToSet');
    if (!adds || demotion !== undefined) return update(...args);
    demotion = demote(id, only);
    return demotion.then(() => update(...args));
  }) as unknown as typeof update);
  await promote(id);
  spy.mockRestore();
  await expect(demotion).resolves.toBeDefined();
  expect(await activeAdmins()).toEqual([only]);
  await expectSoundRoster();
});

test('a demotion that fails puts the admin back', async () => {
  const [one, other] = (await makeAdmins(2)) as [number, number];
  system.auth.fail('setPassword', new Problem('overloaded'));
  const body = { role: 'member' as const, password: 'a new battery' };
  const failing = system.users.updateUser({ params: { id: String(one) }, body }, system.as(other, 'admin'));
  expect(await refusal(failing)).toMatchObject({ code: 'overloaded' });
  expect(await roster()).toEqual([one, other]);
  expect(await activeAdmins()).toEqual([one, other]);
});

test('an admin who was taken out of the roster by a process that died is added again by the sweep', async () => {
  const [one, other] = (await makeAdmins(2)) as [number, number];
  await system.models.rosters.updateOne({ _id: 'admins' }, { $pull: { ids: one }, $inc: { removals: 1 } });
  expect(await refusal(demote(other, one))).toMatchObject({ code: 'last-admin' });
  const replica = await system.startReplica();
  await eventually('both to be enrolled', async () => (await roster()).length === 2);
  await replica.service.stop();
  await demote(other, one);
  expect(await activeAdmins()).toEqual([one]);
});

test('a roster that was never written is made up for on the first demotion', async () => {
  const [one, other] = (await makeAdmins(2)) as [number, number];
  await system.models.rosters.deleteOne({ _id: 'admins' });
  await demote(one, other);
  expect(await refusal(demote(other, other))).toMatchObject({ code: 'last-admin' });
  await expectSoundRoster();
});

test('an admin who is not in the roster may go while another one is', async () => {
  const [one, other] = (await makeAdmins(2)) as [number, number];
  await system.models.rosters.updateOne({ _id: 'admins' }, { $pull: { ids: one }, $inc: { removals: 1 } });
  await demote(one, other);
  expect(await activeAdmins()).toEqual([other]);
  await expectSoundRoster();
});
