import { randomBytes } from 'node:crypto';
import type { authApi, User } from '@latchkey/contracts';
import { type CallContext, type Handler, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';
import type { Credentials } from '../domain/credentials.js';
import { type Session, sessionAnswer } from '../domain/session.js';
import { audit } from './audit.js';
import { upgradeHash } from './upgrade-hash.js';

interface Proven {
  readonly user: User;
  readonly credentials: Credentials;
}

/** No user has this id: credentials are looked for all the same when nobody has the email (S15). */
const nobody = 0;
const userAgentLength = 256;

/** Limits, password, user, session, token. One answer in one time to unknown, wrong, deleted, disabled and temporary (S14, S15); a new session each time (S24). */
export function logIn(deps: Dependencies): Handler<typeof authApi.logIn> {
  return async ({ body: { email, password } }, context) => {
    const account = deps.accountKey(email);
    const begun = await deps.attempts
      .guard(
        account,
        context,
        () => prove(deps, email, password, context),
        (proven, remember) => begin(deps, proven, password, context, remember),
      )
      .catch((error: unknown) => {
        audit(deps, context, { action: 'login', result: 'refused', account });
        throw error;
      });
    if (!begun) {
      audit(deps, context, { action: 'login', result: 'failure', account });
      throw new Problem('credentials-rejected');
    }
    const { user, session } = begun;
    audit(deps, context, { action: 'login', result: 'success', userId: user.id, account });
    return { user, token: deps.tokens.issue(session), session: sessionAnswer(session, session._id) };
  };
}

async function prove(
  deps: Dependencies,
  email: string,
  password: string,
  context: CallContext,
): Promise<Proven | null> {
  const { user: found } = await deps.users.findUserByEmail({ body: { email } }, context);
  // Read before the role is: a change of role raises the generation, and the session of a login that raced it will not stand.
  const credentials = await deps.credentials.find(found?.id ?? nobody);
  const inForce = found && credentials?.state !== 'disabled' ? (credentials?.password ?? null) : null;
  if (!(await deps.passwords.matches(password, inForce, context)) || !found || !credentials) return null;
  const { user } = await deps.users.findUserById({ params: { user_id: String(found.id) } }, context);
  return user && user.deletedAt === null ? { user, credentials } : null;
}

async function begin(
  deps: Dependencies,
  { user, credentials }: Proven,
  password: string,
  context: CallContext,
  remember: () => Promise<void>,
): Promise<{ user: User; session: Session }> {
  await upgradeHash(deps, user.id, credentials, password, context);
  const [session] = await Promise.all([
    beginSession(deps, user, credentials, context),
    // A convenience for the owner's next login, not worth failing this one.
    remember().catch((error: unknown) => deps.logger.warn({ err: error }, 'an address could not be remembered')),
  ]);
  return { user, session };
}

async function beginSession(
  deps: Dependencies,
  user: User,
  credentials: Credentials,
  context: CallContext,
): Promise<Session> {
  const now = deps.clock.now();
  const session: Session = {
    _id: randomBytes(16).toString('hex'),
    userId: user.id,
    role: user.role,
    generation: credentials.sessionGeneration,
    createdAt: new Date(now),
    lastSeen: new Date(now),
    expiresAt: new Date(now + deps.config.sessionTtl * 1000),
    address: context.client.address,
    userAgent: context.client.userAgent?.slice(0, userAgentLength) ?? null,
  };
  await deps.models.sessions.create(session);
  return session;
}
