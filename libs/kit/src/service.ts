import type { HealthCheck } from '@latchkey/contracts';
import type { Route } from './route.js';

/** A part with a life: started in order, stopped in reverse. */
export interface Component {
  readonly name: string;
  start(): Promise<void>;
  /** Refuses new work, finishes what it has, closes. Bounded by the lifecycle's limit (10 s in all). */
  stop(): Promise<void>;
}

/** One check of `/health`. `critical`: without it the service cannot serve (its database), else it is only degraded. */
export interface Check {
  readonly name: string;
  readonly critical: boolean;
  run(): Promise<HealthCheck>;
}

/** What `createAuth(deps)` and its like return; hosted by a process of its own or beside others by the standalone one. */
export interface Service extends Component {
  readonly routes: readonly Route[];
  readonly checks: readonly Check[];
}

/** A service that is not composed before what it stands on is there (its database). `current` is undefined until it serves. */
export interface LateService {
  readonly name: string;
  current(): Service | undefined;
}
