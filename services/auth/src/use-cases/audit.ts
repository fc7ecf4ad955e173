import type { CallContext } from '@latchkey/kit';
import type { Dependencies } from '../dependencies.js';

export interface AuditEntry {
  readonly action:
    | 'login'
    | 'verify-password'
    | 'request-reset'
    | 'change-password'
    | 'set-password'
    | 'disown-reset'
    | 'disown-change';
  /** `refused`: by a limit or an overload, before the password was looked at. */
  readonly result: 'success' | 'failure' | 'refused';
  readonly userId?: number | undefined;
  /** Key of the email, never the email of somebody who may have mistyped a password into it. */
  readonly account?: string | undefined;
}

/** One line for each thing that has to do with authentication: who, from where, what came of it, no secrets (S26). */
export function audit(deps: Pick<Dependencies, 'logger'>, context: CallContext, entry: AuditEntry): void {
  const { action, result, userId, account } = entry;
  deps.logger.info(
    {
      audit: action,
      result,
      user_id: userId ?? null,
      account: account ?? null,
      by: context.principal?.userId ?? null,
      from: context.client.address,
      request_id: context.requestId,
    },
    `${action}: ${result}`,
  );
}
