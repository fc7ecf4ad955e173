import { type CallContext, type Principal, Problem } from '@latchkey/kit';

/** On whose behalf the request acts; on routes that ask for a session `authorize` has set it. */
export function actingSession(context: CallContext): Principal & { readonly sessionId: string } {
  const { principal } = context;
  if (principal === null || principal.sessionId === null) throw new Problem('session-required');
  return { ...principal, sessionId: principal.sessionId };
}
