import type { authApi, Session } from '@latchkey/contracts';
import { type Client, type ClientOf, type Clock, type Principal, Problem } from '@latchkey/kit';
import { boundedMemory } from '../bounded-memory.js';
import type { SessionClaims } from './session-token.js';

/** A session that stands: on whose behalf its requests act. */
export interface Standing {
  readonly principal: Principal & { readonly sessionId: string };
  readonly session: Session;
}

/** Whether sessions still stand, as auth says it. */
export interface Standings {
  /** At once when auth said yes less than a second ago, else after asking. Null: ended. Throws `service-unavailable` when auth cannot be asked: never a pass (S39). */
  of(claims: SessionClaims, request: Asker): Standing | null | Promise<Standing | null>;
  /** The standing whose principal this very object is. */
  behind(principal: Principal): Standing | undefined;
  /** This gateway saw the session end: no answer, not even one in flight, brings it back. */
  ended(sessionId: string): void;
  /** This gateway saw sessions of the user end: what was said before counts no more, each of them is asked about again. */
  endedForUser(userId: number): void;
}

export interface Asker {
  readonly requestId: string;
  readonly client: Client;
}

interface Question {
  readonly userId: number;
  /** Place among all questions and ends that this gateway has seen. */
  readonly order: number;
  readonly askedAt: number;
}

/** A yes is good for this long, ms, counted from when the question was sent. */
const goodFor = 1_000;
const patience = 5_000;
const remembered = 10_000;
/** An answer that is overtaken by an end of the user's sessions is asked for again, this often. */
const tries = 3;

/**
 * Order, not time, decides between an answer and an end: an answer whose question was sent before the end was seen is void, whichever clock runs how.
 */
export function createStandings(deps: {
  auth: Pick<ClientOf<typeof authApi>, 'introspectSession'>;
  clock: Clock;
}): Standings {
  const { auth, clock } = deps;
  let order = 0;
  const yes = boundedMemory<string, Question & { standing: Standing }>(remembered);
  const asking = new Map<string, Question & { answer: Promise<Standing | null> }>();
  const endedSessions = boundedMemory<string, true>(remembered);
  const endedUsers = boundedMemory<number, number>(remembered);
  const byPrincipal = new WeakMap<Principal, Standing>();

  function isFresh(question: Question): boolean {
    const age = clock.now() - question.askedAt;
    return age >= 0 && age < goodFor && !isOvertaken(question);
  }

  function isOvertaken(question: Question): boolean {
    return (endedUsers().get(question.userId) ?? 0) > question.order;
  }

  async function ask(claims: SessionClaims, request: Asker, first: Question): Promise<Standing | null> {
    let question = first;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const answer = await introspect(claims, request, question);
      if (!answer.active || endedSessions().has(claims.sessionId)) return null;
      if (!isOvertaken(question)) {
        const standing = standingOf(claims, answer);
        byPrincipal.set(standing.principal, standing);
        yes().set(claims.sessionId, { ...question, standing });
        return standing;
      }
      question = newQuestion(claims);
    }
    throw new Problem('service-unavailable');
  }

  async function introspect({ sessionId, userId }: SessionClaims, request: Asker, { askedAt }: Question) {
    try {
      return await auth.introspectSession(
        { body: { session_id: sessionId, user_id: userId } },
        { ...request, principal: null, deadline: askedAt + patience },
      );
    } catch (error) {
      throw new Problem('service-unavailable', { cause: error });
    }
  }

  function newQuestion({ userId }: SessionClaims): Question {
    order += 1;
    return { userId, order, askedAt: clock.now() };
  }

  return {
    of(claims, request) {
      const { sessionId } = claims;
      if (endedSessions().has(sessionId)) return null;
      const known = yes().get(sessionId);
      if (known !== undefined && known.userId === claims.userId && isFresh(known)) return known.standing;
      const shared = asking.get(sessionId);
      if (shared !== undefined && shared.userId === claims.userId && isFresh(shared)) return shared.answer;

      const question = newQuestion(claims);
      const answer = ask(claims, request, question).finally(() => {
        if (asking.get(sessionId)?.order === question.order) asking.delete(sessionId);
      });
      asking.set(sessionId, { ...question, answer });
      return answer;
    },
    behind: (principal) => byPrincipal.get(principal),
    ended(sessionId) {
      endedSessions().set(sessionId, true);
      yes().delete(sessionId);
    },
    endedForUser(userId) {
      order += 1;
      endedUsers().set(userId, order);
    },
  };
}

function standingOf(
  { sessionId, userId }: SessionClaims,
  answer: { role: Principal['role']; session: Session },
): Standing {
  return { principal: { userId, role: answer.role, sessionId }, session: { ...answer.session, current: true } };
}
