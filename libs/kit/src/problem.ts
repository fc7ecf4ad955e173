import { type ErrorCode, errorCodes, type Fault, type ProblemDocument } from '@latchkey/contracts';

export interface ProblemExtras {
  /** For people; defaults to the code's title. Never holds a secret or a stack. */
  readonly detail?: string;
  readonly errors?: readonly Fault[];
  /** Which limit was reached (429). */
  readonly limit?: string;
  /** Seconds; sent as Retry-After and in the body. */
  readonly retryAfter?: number;
  /** What really happened; logged, never sent. */
  readonly cause?: unknown;
}

/** Seconds that a client is told to wait when something is away and nobody knows for how long. */
const RETRY_AFTER_OUTAGE = 5;

/** A refusal with a code of the closed list. Thrown by use cases, carried by both transports, turned into problem+json in one place. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly Fault[] | undefined;
  readonly limit: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, extras: ProblemExtras = {}) {
    super(extras.detail ?? errorCodes[code].title, { cause: extras.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = errorCodes[code].status;
    this.errors = extras.errors;
    this.limit = extras.limit;
    // Every 503 says when to come back (RFC 9110 §15.6.4); clients without it come back at once, all of them.
    this.retryAfter = extras.retryAfter ?? (this.status === 503 ? RETRY_AFTER_OUTAGE : undefined);
  }

  toDocument(requestId: string): ProblemDocument {
    return {
      type: `/errors/${this.code}`,
      title: errorCodes[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      request_id: requestId,
      ...(this.errors && { errors: [...this.errors] }),
      ...(this.limit !== undefined && { limit: this.limit }),
      ...(this.retryAfter !== undefined && { retry_after: this.retryAfter }),
    };
  }
}
