import type { ErrorCode } from '@latchkey/contracts';
import { Problem } from '../problem.js';

/** What express and its middleware refuse on their own. */
const codes: Partial<Record<number, ErrorCode>> = {
  400: 'validation-failed',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'body-too-large',
  415: 'unsupported-media-type',
};

/** What anything but an endpoint failed with, in the form of every other refusal. */
export function asProblem(error: unknown): unknown {
  const status = (error as { status?: unknown } | undefined)?.status;
  const code = error instanceof Problem ? undefined : codes[Number(status)];
  return code === undefined ? error : new Problem(code);
}
