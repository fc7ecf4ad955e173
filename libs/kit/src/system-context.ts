import type { CallContext } from './call-context.js';
import type { Clock } from './clock.js';
import { newRequestId } from './request-id.js';

/**
 * The context of a call that the system makes on its own behalf (first admin, sweeps, consumers).
 * `requestId`: usually the event's correlation id. `timeout`: seconds, default 10.
 */
export function systemContext(options: { clock: Clock; requestId?: string; timeout?: number }): CallContext {
  return {
    requestId: options.requestId ?? newRequestId(),
    deadline: options.clock.now() + (options.timeout ?? 10) * 1000,
    principal: { userId: 0, role: 'admin', sessionId: null },
    client: { address: 'system', userAgent: null, languages: null },
  };
}
