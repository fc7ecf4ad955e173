import type { Endpoint, Fault } from '@latchkey/contracts';
import type { z } from 'zod';
import { Problem } from '../problem.js';

/** The parts of a request as they arrive: texts, and JSON not yet checked. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const parts = ['params', 'query', 'body'] as const;
const MAX_FAULTS = 50;
const MAX_PATH = 200;

/** What the endpoint declares, parsed; other parts are left out. Throws `validation-failed` with every fault. */
export function parseInput(endpoint: Endpoint, raw: RawInput): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  let faults: Fault[] | undefined;
  for (const part of parts) {
    const schema = endpoint[part];
    if (schema === undefined) continue;
    const parsed = schema.safeParse(raw[part]);
    if (parsed.success) input[part] = parsed.data;
    else faults = [...(faults ?? []), ...faultsOf(part, parsed.error, raw[part])];
  }
  if (faults) throw new Problem('validation-failed', { errors: faults.slice(0, MAX_FAULTS) });
  return input;
}

function faultsOf(part: string, error: z.ZodError, value: unknown): Fault[] {
  if (value === undefined) return [{ path: part, message: 'is required' }];
  return error.issues.flatMap((issue): Fault[] => {
    const path = [part, ...issue.path.map(String)];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: dotted([...path, key]), message: 'is not a known field' }));
    return [{ path: dotted(path), message: issue.message }];
  });
}

const dotted = (path: readonly string[]) => path.join('.').slice(0, MAX_PATH).toWellFormed();

/** The handler's answer as the endpoint describes it, without anything else. Throws `internal-error`: a service that breaks its contract is at fault. */
export function parseOutput(endpoint: Endpoint, output: unknown): unknown {
  const parsed = endpoint.success.body.safeParse(output);
  if (parsed.success) return parsed.data;
  throw new Problem('internal-error', {
    cause: new Error(`The answer of ${endpoint.method} ${endpoint.path} breaks its contract`, { cause: parsed.error }),
  });
}
