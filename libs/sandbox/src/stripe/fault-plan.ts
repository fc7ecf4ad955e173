/** How the API is to misbehave, for trying out what a caller does then. */
export interface ApiFault {
  readonly latencyMs?: number;
  /** Answers with this status instead of doing what was asked. */
  readonly status?: number;
  /** `before`: without doing what was asked; `after`: having done it. */
  readonly closeConnection?: 'before' | 'after';
  /** Only paths that begin like this. */
  readonly path?: string;
  /** So many calls; default: until it is taken back. */
  readonly times?: number;
}

/** The faults that are on, and how often they still come. */
export class FaultPlan {
  #fault: ApiFault | null = null;
  #left = 0;

  set(fault: ApiFault | null): void {
    this.#fault = fault;
    this.#left = fault?.times ?? Number.POSITIVE_INFINITY;
  }

  get current(): ApiFault | null {
    return this.#left > 0 ? this.#fault : null;
  }

  /** The fault that this call has. */
  next(path: string): ApiFault | null {
    const fault = this.current;
    if (fault === null || !path.startsWith(fault.path ?? '')) return null;
    this.#left -= 1;
    return fault;
  }
}
