import type { authApi } from '@latchkey/contracts';
import { type Handler, Problem } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';

/**
 * The first password of a user being created who comes from elsewhere: provisional, like every first password, until the user is active. The same hash again
 * is no change. It was made of the bare password, so the next login replaces it by one of ours (S10).
 */
export function importPassword(deps: Dependencies): Handler<typeof authApi.importPassword> {
  return async ({ params, body }, context) => {
    const first = {
      state: 'provisional',
      password: { hash: body.password_hash, scheme: 'bcrypt', pepperId: null },
      provisionalSince: new Date(deps.clock.now()),
    } as const;
    if (await deps.credentials.create(params.user_id, first, context.requestId)) return {};
    const existing = await deps.credentials.find(params.user_id);
    if (existing?.password?.hash === body.password_hash) return {};
    throw new Problem('not-found', { detail: 'No user waits for a first password there' });
  };
}
