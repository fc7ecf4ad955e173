import type { User, userApi } from '@latchkey/contracts';
import type { CallContext, ClientOf, Clock } from '@latchkey/kit';
import { boundedMemory } from '../bounded-memory.js';

type Users = ClientOf<typeof userApi>;

/** The client of the user service with a memory of a second: what a session's check shows of its user is no older than what it says of the session. */
export interface RecentUsers extends Users {
  /**
   * The user, deleted or not, as the user service told it less than a second ago, or tells it now; null when there is none. A write that
   * went through this client shows at once: no answer from before it counts any more, not even one in flight.
   */
  recent(userId: number, context: CallContext): User | null | Promise<User | null>;
}

interface Question {
  /** Place among all questions and writes of this client. */
  readonly order: number;
  readonly askedAt: number;
}

/** An answer is good for this long, ms, counted from when the question was sent. */
const goodFor = 1_000;
const remembered = 10_000;

export function createRecentUsers(users: Users, clock: Clock): RecentUsers {
  let order = 0;
  const known = boundedMemory<number, Question & { readonly user: User }>(remembered);
  const asking = new Map<number, Question & { readonly answer: Promise<User | null> }>();
  const written = boundedMemory<number, number>(remembered);

  function isFresh(userId: number, question: Question): boolean {
    const age = clock.now() - question.askedAt;
    return age >= 0 && age < goodFor && question.order > (written().get(userId) ?? 0);
  }

  async function ask(userId: number, question: Question, context: CallContext): Promise<User | null> {
    const { user } = await users.findUserById({ params: { user_id: String(userId) } }, context);
    if (user !== null) known().set(userId, { ...question, user });
    return user;
  }

  /** Whatever came of the write: its effect may be there from now on. */
  async function writing<T>(userId: number, write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      order += 1;
      written().set(userId, order);
    }
  }

  return {
    ...users,
    updateUser: (input, context) => writing(Number(input.params.id), users.updateUser(input, context)),
    deleteUser: (input, context) => writing(Number(input.params.id), users.deleteUser(input, context)),
    confirmEmail: (input, context) => writing(input.body.user_id, users.confirmEmail(input, context)),
    recent(userId, context) {
      const last = known().get(userId);
      if (last !== undefined && isFresh(userId, last)) return last.user;
      const shared = asking.get(userId);
      if (shared !== undefined && isFresh(userId, shared)) return shared.answer;

      order += 1;
      const question = { order, askedAt: clock.now() };
      const answer = ask(userId, question, context).finally(() => {
        if (asking.get(userId)?.order === question.order) asking.delete(userId);
      });
      asking.set(userId, { ...question, answer });
      return answer;
    },
  };
}
