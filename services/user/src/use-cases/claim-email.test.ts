import { Problem } from '@latchkey/kit';
import { eventually, refusal } from '@latchkey/tests';
import { someone } from '../testing/people.js';
import { type RunningUserService, startUserService } from '../testing/start-user-service.js';

/** What a process that dies leaves behind: nothing after this point runs. */
class Crash extends Error {}

let system: RunningUserService;
let crashAt: string | null;
let held: { at: string; arrived: () => void; go: Promise<void> } | null;

beforeEach(async () => {
  crashAt = null;
  held = null;
  system = await startUserService({
    crashPoint: async (name) => {
      if (name === crashAt) throw new Crash(name);
      if (name !== held?.at) return;
      const { arrived, go } = held;
      held = null;
      arrived();
      await go;
    },
  });
});
afterEach(() => system.stop());

const body = () => someone({ password: 'correct horse' });
const create = (wanted: ReturnType<typeof body>) => system.users.createUser({ body: wanted }, system.admin());
/** As a client does that is told to come again: the sweep may be erasing what was left, with the claim in its hands. */
const createInTime = (wanted: ReturnType<typeof body>) =>
  eventually('the creation', () =>
    create(wanted).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'creation-in-progress') return null;
      throw error;
    }),
  );
const all = () => system.models.users.find({}).sort({ _id: 1 }).lean();

function holdAt(at: string) {
  let arrived = () => {};
  let release = () => {};
  const reached = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const go = new Promise<void>((resolve) => {
    release = resolve;
  });
  held = { at, arrived, go };
  return { reached, release };
}

test('while another request holds the claim: 503 with Retry-After 1, and nobody sees the user', async () => {
  const wanted = body();
  const { reached, release } = holdAt('create.after-claim');
  const first = create(wanted);
  await reached;
  expect(await refusal(create({ ...wanted, email: wanted.email.toUpperCase() }))).toMatchObject({
    code: 'creation-in-progress',
    status: 503,
    retryAfter: 1,
  });
  const [pending] = await all();
  const id = String(pending?._id);
  expect(await refusal(system.users.showUser({ params: { id }, query: {} }, system.admin()))).toMatchObject({
    code: 'not-found',
  });
  expect((await system.users.listUsers({ query: { deleted: 'true' } }, system.admin())).users).toEqual([]);
  expect(await system.users.findUserById({ params: { user_id: id } }, system.admin())).toEqual({ user: null });
  expect(await system.users.findUserByEmail({ body: { email: wanted.email } }, system.admin())).toEqual({ user: null });
  release();
  expect((await first).user.email).toBe(wanted.email);
});

test.each(['create.after-claim', 'create.after-password'])(
  'a crash at %s: after the lease the email is taken over under a new id',
  async (point) => {
    const wanted = body();
    crashAt = point;
    await refusal(create(wanted));
    crashAt = null;
    const [stale] = await all();
    expect(stale?.state).toBe('pending');
    expect(await refusal(create(wanted))).toMatchObject({ code: 'creation-in-progress' });

    system.clock.advance(31);
    const { user } = await createInTime(wanted);
    expect(user.id).not.toBe(stale?._id);
    expect(system.auth.passwords.has(stale?._id as number)).toBe(false);
    expect(system.auth.disabled.has(stale?._id as number)).toBe(true);
    expect(await all()).toMatchObject([{ _id: user.id, state: 'active' }]);
  },
);

test('a crash after the activation: the user is there', async () => {
  const wanted = body();
  crashAt = 'create.after-activate';
  await refusal(create(wanted));
  expect(await refusal(create(wanted))).toMatchObject({ code: 'email-taken' });
});

test('the sweep erases a stale creation at both services, credentials first', async () => {
  crashAt = 'create.after-password';
  await refusal(create(body()));
  const [stale] = await all();
  system.clock.advance(31);
  let recordsAtDisable = -1;
  system.auth.before = async ({ method }) => {
    if (method === 'disableCredentials') recordsAtDisable = (await all()).length;
  };
  const replica = await system.startReplica();
  await eventually('an empty collection', async () => (await all()).length === 0);
  expect(recordsAtDisable).toBe(1);
  expect(system.auth.disabled.has(stale?._id as number)).toBe(true);
  await replica.service.stop();
});

test('a crash in the middle of the erasing is gone on with', async () => {
  const wanted = body();
  crashAt = 'create.after-password';
  await refusal(create(wanted));
  crashAt = null;
  system.clock.advance(31);
  system.auth.fail('disableCredentials', new Problem('service-unavailable'));
  expect(await refusal(create(wanted))).toMatchObject({ status: 503 });
  system.auth.heal();
  system.clock.advance(31);
  await createInTime(wanted);
  expect(await all()).toMatchObject([{ state: 'active' }]);
});

test.each(['create.after-claim', 'create.after-password'])(
  'a creator that was overtaken at %s cannot activate, and its password goes',
  async (point) => {
    const wanted = body();
    const { reached, release } = holdAt(point);
    const slow = refusal(create(wanted));
    await reached;
    system.clock.advance(31);
    const { user } = await createInTime(wanted);
    release();
    expect(await slow).toMatchObject({ code: 'creation-in-progress', retryAfter: 1 });
    expect([...system.auth.passwords.keys()]).toEqual([user.id]);
    expect(await all()).toMatchObject([{ _id: user.id, state: 'active' }]);
  },
);

test('a creator whose claim is being taken over just now cannot activate', async () => {
  const wanted = body();
  const first = holdAt('create.after-password');
  const slow = refusal(create(wanted));
  await first.reached;
  system.clock.advance(31);
  let erased: (() => void) | undefined;
  const hold = new Promise<void>((resolve) => {
    erased = resolve;
  });
  system.auth.before = ({ method }) => (method === 'disableCredentials' ? hold : undefined);
  const second = createInTime(wanted);
  await eventually('the take-over', () => system.auth.names().some((name) => name.startsWith('disableCredentials')));
  system.auth.heal();
  first.release();
  expect(await slow).toMatchObject({ code: 'creation-in-progress' });
  erased?.();
  const { user } = await second;
  expect(await all()).toMatchObject([{ _id: user.id, state: 'active' }]);
  expect([...system.auth.passwords.keys()]).toEqual([user.id]);
});

test('an overtaker that finds the creator just activated leaves it alone', async () => {
  const wanted = body();
  const { reached, release } = holdAt('create.after-password');
  const slow = create(wanted);
  await reached;
  system.clock.advance(31);
  release();
  await Promise.allSettled([slow, createInTime(wanted)]);
  const records = await all();
  expect(records).toMatchObject([{ state: 'active' }]);
  expect([...system.auth.passwords.keys()]).toEqual([records[0]?._id]);
});

test('a creator that was stopped for longer than its claim does not activate: auth may have erased the password', async () => {
  const wanted = body();
  const { reached, release } = holdAt('create.after-password');
  const slow = refusal(create(wanted));
  await reached;
  system.clock.advance(31);
  release();
  expect(await slow).toMatchObject({ code: 'creation-in-progress', retryAfter: 1 });
  // By the creator, or by a sweep that was quicker.
  await eventually('the erasure', async () => (await all()).length === 0);
  expect(system.auth.passwords.size).toBe(0);
  await createInTime(wanted);
});

test('20 parallel take-overs make one user', async () => {
  const wanted = body();
  crashAt = 'create.after-password';
  await refusal(create(wanted));
  crashAt = null;
  system.clock.advance(31);
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => create(wanted)));
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  const { user } = await system.users.findUserByEmail({ body: { email: wanted.email } }, system.admin());
  const id = user?.id ?? (await createInTime(wanted)).user.id;
  expect(await all()).toMatchObject([{ _id: id, state: 'active' }]);
  expect([...system.auth.passwords.keys()]).toEqual([id]);
});
