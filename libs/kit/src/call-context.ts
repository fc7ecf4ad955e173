import type { Role } from '@latchkey/contracts';

/** On whose behalf a call is made. `sessionId` is null when the system itself acts (first admin, sweeps). */
export interface Principal {
  readonly userId: number;
  readonly role: Role;
  readonly sessionId: string | null;
}

/** Where the request came from, as the gateway saw it. `languages`: its Accept-Language header. */
export interface Client {
  readonly address: string;
  readonly userAgent: string | null;
  readonly languages: string | null;
}

/** What travels with every call from service to service, beside its input. */
export interface CallContext {
  readonly requestId: string;
  /** Milliseconds since the epoch after which nobody waits for the answer any more. */
  readonly deadline: number;
  readonly principal: Principal | null;
  readonly client: Client;
}
