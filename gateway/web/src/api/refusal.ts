import type { ErrorCode, ProblemDocument } from '@latchkey/contracts';

/** `offline`: nothing answered. `unreadable`: something did that is not the API, such as a proxy's error page. */
export type RefusalCode = ErrorCode | 'offline' | 'unreadable' | 'incomplete';

/** What a call throws when it is not answered with success. `message` is for people. */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    readonly problem: Partial<Pick<ProblemDocument, 'status' | 'title' | 'detail' | 'errors' | 'retry_after'>> = {},
  ) {
    super(problem.detail ?? code);
    this.name = 'Refusal';
  }

  /** Names of the body's fields that are at fault. */
  get fields(): readonly string[] {
    return (this.problem.errors ?? []).flatMap(({ path }) => /^body\.(\w+)/.exec(path)?.[1] ?? []);
  }

  /** Would the same request have a chance a little later? */
  get isPassing(): boolean {
    return this.code === 'offline' || this.code === 'unreadable' || (this.problem.status ?? 0) >= 500;
  }
}
