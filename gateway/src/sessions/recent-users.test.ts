import type { User, userApi } from '@latchkey/contracts';
import type { CallContext, ClientOf } from '@latchkey/kit';
import { fakeUser } from '../testing/fake-services.js';
import { createRecentUsers } from './recent-users.js';

const context = {} as CallContext;

/** A user service whose answers the test gives one by one. */
function setUp() {
  const state = { now: 1_800_000_000_000 };
  const questions: ((user: User | null) => void)[] = [];
  const users = {
    findUserById: () => new Promise((resolve) => questions.push((user) => resolve({ user }))),
    updateUser: async () => ({ user: fakeUser(7) }),
    deleteUser: async () => {
      throw new Error('the answer was lost');
    },
    confirmEmail: async () => ({ message: 'done' }),
  } as unknown as ClientOf<typeof userApi>;
  const recent = createRecentUsers(users, { now: () => state.now });
  const named = (name: string) => ({ ...fakeUser(7), first_name: name });
  return { state, questions, recent, named, next: () => questions.shift() as (typeof questions)[number] };
}

test('an answer is good for one second from when the question was sent, and one question serves all who ask meanwhile', async () => {
  const { state, questions, recent, named, next } = setUp();
  const both = [recent.recent(7, context), recent.recent(7, context)];
  state.now += 400;
  expect(questions).toHaveLength(1);
  next()(named('Ada'));
  expect(await Promise.all(both)).toEqual([named('Ada'), named('Ada')]);
  state.now += 599;
  expect(recent.recent(7, context)).toEqual(named('Ada'));
  state.now += 1;
  void recent.recent(7, context);
  expect(questions).toHaveLength(1);
});

test.each([
  [
    'an update',
    (recent: ReturnType<typeof setUp>['recent']) => recent.updateUser({ params: { id: '7' }, body: {} }, context),
  ],
  [
    'a deletion whose answer is lost',
    (recent: ReturnType<typeof setUp>['recent']) => recent.deleteUser({ params: { id: '7' } }, context),
  ],
  [
    'a confirmed email',
    (recent: ReturnType<typeof setUp>['recent']) =>
      recent.confirmEmail({ body: { user_id: 7, confirm_token: 'ab' } }, context),
  ],
])('after %s neither an answer from before it counts nor one in flight', async (_what, write) => {
  const { questions, recent, named, next } = setUp();
  const first = recent.recent(7, context);
  next()(named('before'));
  await first;
  const inFlight = recent.recent(8, context);
  await Promise.allSettled([write(recent)]);
  next()(fakeUser(8));
  await inFlight;

  const later = recent.recent(7, context);
  expect(questions).toHaveLength(1);
  next()(named('after'));
  expect(await later).toEqual(named('after'));
  // Another user's is not forgotten by it.
  expect(recent.recent(8, context)).toEqual(fakeUser(8));
});

test('an answer in flight while a write ends is given to who asked before, and to nobody after', async () => {
  const { state, recent, named, next } = setUp();
  const early = recent.recent(7, context);
  await recent.updateUser({ params: { id: '7' }, body: {} }, context);
  const late = recent.recent(7, context);
  next()(named('before'));
  expect(await early).toEqual(named('before'));
  next()(named('after'));
  expect(await late).toEqual(named('after'));
  state.now += 1;
  expect(recent.recent(7, context)).toEqual(named('after'));
});

test('that there is no such user is not remembered', async () => {
  const { questions, recent, next } = setUp();
  const nobody = recent.recent(7, context);
  next()(null);
  expect(await nobody).toBeNull();
  void recent.recent(7, context);
  expect(questions).toHaveLength(1);
});
