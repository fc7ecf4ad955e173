import type { userApi } from '@latchkey/contracts';
import type { Dependencies, UseCase } from '../dependencies.js';
import { fullName, ownWords } from '../domain/names.js';
import { actorOf, requireManager } from '../domain/rights.js';
import { toUser } from '../domain/to-user.js';
import { type FirstPassword, registerUser } from './register-user.js';

/** Creates a user. A refused password is found out first and leaves nothing behind. */
export function createUser(deps: Dependencies): UseCase<typeof userApi.createUser> {
  return async ({ body }, context) => {
    requireManager(actorOf(context.principal, deps.access));
    const { password, ...rest } = body;
    const wanted = { ...rest, role: rest.role ?? 'member' };
    // The operator's own choice (the first admin) is not refused for a word like "admin".
    const words = context.principal?.sessionId === null ? [] : ownWords([wanted.email], wanted);
    if (password !== undefined) await deps.auth.checkPassword({ body: { password, context: words } }, context);
    await deps.crashPoint('create.after-check');
    const setPassword = (password: string): FirstPassword => {
      const body = {
        mode: 'provision' as const,
        password,
        context: words,
        email: wanted.email,
        name: fullName(wanted),
      };
      return ({ _id }) => deps.auth.setPassword({ params: { user_id: String(_id) }, body }, context);
    };
    const first = password === undefined ? null : setPassword(password);
    return { user: toUser(await registerUser(deps, wanted, first, context)) };
  };
}
