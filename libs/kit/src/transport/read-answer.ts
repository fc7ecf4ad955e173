import { type Endpoint, problemDocument } from '@latchkey/contracts';
import { Problem } from '../problem.js';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Why a service that answers is as good as away: its SERVICE_SECRET is not ours. */
export class ServiceTokenRejectedError extends Error {
  override readonly name = 'ServiceTokenRejectedError';
}

/** The success body, parsed by the endpoint's schema; or the other side's refusal, thrown as the same `Problem`. */
export function readAnswer(endpoint: Endpoint, answer: Answer): unknown {
  const content = parse(answer.text);
  if (answer.status !== endpoint.success.status) throw problemOf(endpoint, answer, content);
  const output = endpoint.success.body.safeParse(content);
  if (output.success) return output.data;
  throw new Problem('internal-error', { cause: foreign(endpoint, answer, output.error) });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf(endpoint: Endpoint, answer: Answer, content: unknown): Problem {
  const parsed = problemDocument.safeParse(content);
  // Something else answers there (a proxy, another version): whatever it says, the service was not reached.
  if (!parsed.success) return new Problem('service-unavailable', { cause: foreign(endpoint, answer, parsed.error) });
  const { code, detail, errors, limit, retry_after: retryAfter } = parsed.data;
  // The secrets of the two processes differ: our client's request is not at fault, and must not be told that it is.
  if (code === 'service-token-rejected')
    return new Problem('service-unavailable', {
      cause: new ServiceTokenRejectedError('The other side rejects our service token'),
    });
  return new Problem(code, {
    detail,
    ...(errors && { errors }),
    ...(limit !== undefined && { limit }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

function foreign(endpoint: Endpoint, answer: Answer, cause: unknown): Error {
  return new Error(`Unexpected answer ${answer.status} to ${endpoint.method} ${endpoint.path}`, { cause });
}
