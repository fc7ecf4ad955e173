import type { authApi, deadLetterApi, Endpoint, mailerApi, paymentApi, User, userApi } from '@latchkey/contracts';
import { type CallContext, type ClientOf, Problem } from '@latchkey/kit';
import { newKey, signToken } from './signing.js';

export const now = Date.parse('2027-01-15T08:00:00.000Z');

/** Clients of services that live in this object's fields: what the gateway does is judged by what it asks of them and answers. */
export class FakeServices {
  now = now;
  key = newKey('k1');
  readonly calls: { name: string; input: unknown; context: CallContext }[] = [];
  /** Sessions that stand, by id. */
  readonly standing = new Map<string, { userId: number; role: 'admin' | 'member' }>();
  readonly users = new Map<number, User>();
  /** Set to make every call to auth fail as an outage does. */
  authDown = false;
  /** Calls (`users.deleteUser`) that do their work and then fail, as a lost answer does. */
  readonly lostAnswers = new Set<string>();
  /** Awaited before an introspection is answered, after it was looked up. */
  beforeAnswer: () => Promise<void> = async () => undefined;
  #lastSession = 0;

  readonly clock = { now: () => this.now };

  constructor() {
    for (const id of [1, 7, 8]) this.users.set(id, fakeUser(id));
  }

  /** A session that stands, and its token. */
  session(userId = 7, role: 'admin' | 'member' = 'member') {
    this.#lastSession += 1;
    const id = this.#lastSession.toString(16).padStart(32, '0');
    this.standing.set(id, { userId, role });
    const token = signToken(this.key, this.now, { sub: String(userId), sid: id });
    return { id, token, headers: { cookie: `access_token=${token}` } };
  }

  called(name: string) {
    return this.calls.filter((call) => call.name === name);
  }

  readonly auth = fakeClient<typeof authApi>(this, 'auth', {
    showKeys: async () => ({ keys: [this.key.jwk] }),
    logIn: async ({ body }) => {
      if (body.password !== 'right') throw new Problem('credentials-rejected');
      const { id, token } = this.session();
      return { user: this.#user(7), token, session: this.#sessionAnswer(id) };
    },
    introspectSession: async ({ body }) => {
      const found = this.standing.get(body.session_id);
      await this.beforeAnswer();
      if (found?.userId !== body.user_id) return { active: false };
      return { active: true, role: found.role, session: this.#sessionAnswer(body.session_id) };
    },
    endSession: async ({ body }) => {
      const mine = this.standing.get(body.session_id)?.userId === body.user_id;
      return { ended: mine && this.standing.delete(body.session_id) };
    },
    listSessions: async ({ params }) => ({
      sessions: [...this.standing]
        .filter(([, { userId }]) => userId === Number(params.user_id))
        .map(([id]) => this.#sessionAnswer(id)),
    }),
    endAllSessions: async ({ params }) => {
      this.#endAll(Number(params.user_id));
      return {};
    },
    changePassword: async ({ body }) => {
      if (body.reset_token !== 'ab') throw new Problem('reset-token-invalid');
      this.#endAll(body.user_id);
      return { message: 'Your password has been updated.' };
    },
    requestPasswordReset: async () => ({ message: 'A reset link was sent to j***@e******.com.' }),
    checkResetToken: async () => ({ valid: true as const }),
    inviteUser: async () => ({ message: 'The invitation is on its way.' }),
  });

  readonly userService = fakeClient<typeof userApi>(this, 'users', {
    findUserById: async ({ params }) => ({ user: this.users.get(Number(params.user_id)) ?? null }),
    showUser: async ({ params }) => ({ user: this.#user(Number(params.id)) }),
    listUsers: async () => ({ users: [...this.users.values()], next: null }),
    createUser: async () => ({ user: fakeUser(42) }),
    updateUser: async ({ params, body }) => {
      if (body.role !== undefined || body.password !== undefined) this.#endAll(Number(params.id));
      return { user: this.#user(Number(params.id)) };
    },
    deleteUser: async ({ params }) => {
      this.#endAll(Number(params.id));
      return { user: { ...this.#user(Number(params.id)), deletedAt: new Date(this.now).toISOString() } };
    },
  });

  readonly mailer = fakeClient<typeof mailerApi>(this, 'mailer', {
    listMails: async () => ({ mails: [], next: null }),
  });

  payments: ClientOf<typeof paymentApi> | undefined;

  deadLetters: Record<string, ClientOf<typeof deadLetterApi>> = {};

  #user(id: number): User {
    const user = this.users.get(id);
    if (user === undefined) throw new Problem('not-found');
    return user;
  }

  #endAll(userId: number): void {
    for (const [id, session] of this.standing) if (session.userId === userId) this.standing.delete(id);
  }

  #sessionAnswer(id: string) {
    const at = new Date(this.now).toISOString();
    const times = { created_at: at, last_seen_at: at, expires_at: at };
    return { id, ...times, address: null, user_agent: null, current: false };
  }
}

/** Methods that a test does not give fail loudly. Each call is noted. */
export function fakeClient<Api extends Record<string, Endpoint>>(
  services: FakeServices,
  owner: string,
  methods: Partial<ClientOf<Api>>,
): ClientOf<Api> {
  return new Proxy(methods, {
    get(target, name: string) {
      return async (input: unknown, context: CallContext) => {
        services.calls.push({ name: `${owner}.${name}`, input, context });
        if (owner === 'auth' && services.authDown) throw new Problem('service-unavailable');
        const method = Reflect.get(target, name) as ((...given: unknown[]) => Promise<unknown>) | undefined;
        if (method === undefined) throw new Error(`${owner}.${name} was not expected`);
        const answer = await method(input, context);
        if (services.lostAnswers.has(`${owner}.${name}`)) throw new Problem('service-unavailable');
        return answer;
      };
    },
  }) as ClientOf<Api>;
}

export function fakeUser(id: number): User {
  return {
    id,
    first_name: 'Grace',
    last_name: 'Hopper',
    email: `user${id}@example.net`,
    password: null,
    password_reset_hash: null,
    payment_customer_id: null,
    role: id === 1 ? 'admin' : 'member',
    deletedAt: null,
    createdAt: '2027-01-01T00:00:00.000Z',
    updatedAt: '2027-01-01T00:00:00.000Z',
  };
}
