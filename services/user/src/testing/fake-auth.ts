import type { authApi } from '@latchkey/contracts';
import { type CallContext, type ClientOf, Problem } from '@latchkey/kit';

type Auth = ClientOf<typeof authApi>;
type Method =
  | 'checkPassword'
  | 'setPassword'
  | 'importPassword'
  | 'verifyPassword'
  | 'endAllSessions'
  | 'disableCredentials'
  | 'dropResets';

export interface AuthCall {
  readonly method: Method;
  readonly userId: number | null;
  readonly body: Record<string, unknown>;
  readonly context: CallContext;
}

/** Auth as the user service sees it: it keeps passwords, refuses `weak`, and can be told to fail. */
export class FakeAuth {
  readonly calls: AuthCall[] = [];
  readonly passwords = new Map<number, string>();
  readonly disabled = new Set<number>();
  readonly #failures = new Map<Method, Error>();
  /** Runs inside of a call, before its effect. */
  before: (call: AuthCall) => void | Promise<void> = () => undefined;
  /** Runs inside of a call, after its effect; throwing makes the outcome unknown to the caller. */
  after: (call: AuthCall) => void | Promise<void> = () => undefined;

  fail(method: Method, error: Error = new Problem('service-unavailable')): void {
    this.#failures.set(method, error);
  }

  heal(): void {
    this.#failures.clear();
    this.before = () => undefined;
    this.after = () => undefined;
  }

  /** `setPassword 7` and so on, in order. */
  names(): string[] {
    return this.calls.map(({ method, userId }) => (userId === null ? method : `${method} ${userId}`));
  }

  readonly client = {
    checkPassword: this.#method('checkPassword', ({ body }) => refuseWeak(String(body.password))),
    setPassword: this.#method('setPassword', ({ userId, body }) => this.#setPassword(userId as number, body)),
    importPassword: this.#method('importPassword', ({ userId, body }) => {
      this.passwords.set(userId as number, String(body.password_hash));
    }),
    verifyPassword: this.#method('verifyPassword', ({ userId, body }) => this.#verify(userId as number, body.password)),
    endAllSessions: this.#method('endAllSessions', () => undefined),
    dropResets: this.#method('dropResets', () => undefined),
    disableCredentials: this.#method('disableCredentials', ({ userId }) => {
      this.passwords.delete(userId as number);
      this.disabled.add(userId as number);
    }),
  } as Partial<Auth> as Auth;

  #method(method: Method, effect: (call: AuthCall) => void) {
    return async (input: { params?: { user_id: string }; body?: Record<string, unknown> }, context: CallContext) => {
      const userId = input.params === undefined ? null : Number(input.params.user_id);
      const call: AuthCall = { method, userId, body: input.body ?? {}, context };
      this.calls.push(call);
      await this.before(call);
      const failure = this.#failures.get(method);
      if (failure !== undefined) throw failure;
      effect(call);
      await this.after(call);
      return {};
    };
  }

  #setPassword(userId: number, body: Record<string, unknown>): void {
    refuseWeak(String(body.password));
    if (this.disabled.has(userId)) throw new Problem('not-found');
    if (body.current_password !== undefined) this.#verify(userId, body.current_password);
    this.passwords.set(userId, String(body.password));
  }

  #verify(userId: number, password: unknown): void {
    if (this.passwords.get(userId) !== password) throw new Problem('credentials-rejected');
  }
}

function refuseWeak(password: string): void {
  if (password !== 'weak') return;
  throw new Problem('validation-failed', { errors: [{ path: 'body.password', message: 'is too common' }] });
}
