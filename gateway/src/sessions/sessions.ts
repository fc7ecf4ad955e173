import { type authApi, sessionToken } from '@latchkey/contracts';
import { type ClientOf, type Clock, type Exchange, type Logger, type Principal, Problem } from '@latchkey/kit';
import { type CookieSettings, deletedSessionCookie, presentedTokens, sessionCookie } from './cookie.js';
import { createKeyRing, type JsonWebKeySet } from './key-ring.js';
import { createSessionTokens, type SessionClaims } from './session-token.js';
import { type Asker, createStandings, type Standing } from './standing.js';

type Auth = Pick<ClientOf<typeof authApi>, 'showKeys' | 'introspectSession'>;

/** Everything the gateway knows about sessions: cookies in, principals out. */
export interface Sessions {
  /** Fetches the keys; without auth the gateway starts all the same and answers 503 until it comes. */
  start(): Promise<void>;
  /** The first session among the presented cookies that stands; at once when it was seen a moment ago. Throws `service-unavailable`. */
  presented(cookieHeader: string | undefined, asker: Asker): Standing | null | Promise<Standing | null>;
  /** The session behind a principal that came with the request's context, as it stood when that was made; null for any other. */
  behind(principal: Principal | null): Standing | null;
  /** Every well-signed session among the cookies, run out or not. */
  wellSigned(cookieHeader: string | undefined): Promise<SessionClaims[]>;
  /** Gives the browser its session. */
  begin(exchange: Exchange, token: string): Promise<void>;
  /** Takes the cookie away. */
  forget(exchange: Exchange): void;
  /** Runs what ends one session and lets no earlier answer of auth bring it back here. */
  ending<T>(session: Pick<SessionClaims, 'sessionId' | 'userId'>, end: () => Promise<T>): Promise<T>;
  /** The same for what ends sessions of a user: all, or all but the acting one, as auth decides. */
  endingOfUser<T>(userId: number, end: () => Promise<T>): Promise<T>;
  publicKeys(): Promise<JsonWebKeySet>;
}

export function createSessions(deps: { auth: Auth; clock: Clock; logger: Logger; cookie: CookieSettings }): Sessions {
  const { auth, clock, logger, cookie } = deps;
  const ring = createKeyRing({ auth, clock, logger });
  const tokens = createSessionTokens({ ring, clock, rules: sessionToken });
  const standings = createStandings({ auth, clock });

  function firstStanding(candidates: readonly string[], asker: Asker): Standing | null | Promise<Standing | null> {
    const [token, ...others] = candidates;
    if (token === undefined) return null;
    const standing = standingOf(token, asker);
    if (standing instanceof Promise) return standing.then((found) => found ?? firstStanding(others, asker));
    return standing ?? firstStanding(others, asker);
  }

  function standingOf(token: string, asker: Asker): Standing | null | Promise<Standing | null> {
    const claims = tokens.verify(token);
    if (claims instanceof Promise) return claims.then((read) => read && standings.of(read, asker));
    return claims && standings.of(claims, asker);
  }

  return {
    async start() {
      await ring.refresh().catch((error) => logger.warn({ err: error }, 'auth has not given its keys yet'));
    },
    presented: (header, asker) => firstStanding(presentedTokens(cookie, header), asker),
    behind: (principal) => (principal && standings.behind(principal)) ?? null,
    async wellSigned(header) {
      const read = await Promise.all(
        presentedTokens(cookie, header).map((token) => tokens.verifyIgnoringExpiry(token)),
      );
      return read.filter((claims) => claims !== null);
    },
    async begin(exchange, token) {
      exchange.appendHeader('Set-Cookie', sessionCookie(cookie, token));
      // Signed with a key made since we last asked: this token comes from auth itself, so asking again is no one's lever.
      const known = await Promise.resolve(tokens.verify(token)).catch(() => null);
      if (known === null) await ring.refresh().catch(() => undefined);
    },
    forget(exchange) {
      exchange.appendHeader('Set-Cookie', deletedSessionCookie(cookie));
    },
    async ending({ sessionId, userId }, end) {
      const result = await unlessUnknown(end, () => standings.endedForUser(userId));
      standings.ended(sessionId);
      return result;
    },
    async endingOfUser(userId, end) {
      const result = await unlessUnknown(end, () => standings.endedForUser(userId));
      standings.endedForUser(userId);
      return result;
    },
    publicKeys: () => ring.published(),
  };
}

/** When the outcome is not known (an outage, a late answer), it may have ended: auth is asked anew about that user's sessions. */
async function unlessUnknown<T>(end: () => Promise<T>, onUnknown: () => void): Promise<T> {
  try {
    return await end();
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) onUnknown();
    throw error;
  }
}
