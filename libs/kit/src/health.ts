import type { HealthCheck, HealthStatus, ServiceHealth } from '@latchkey/contracts';
import type { Check } from './service.js';

export interface AggregateOptions {
  /** Seconds that one check may take, default 2. */
  readonly timeout?: number;
}

/**
 * Runs all checks at once. A critical check that fails makes the service `down`, another one `degraded`. A check that throws or does not answer in time
 * counts as failed; its error is not told, since health is public.
 */
export async function aggregate(checks: readonly Check[], options: AggregateOptions = {}): Promise<ServiceHealth> {
  const milliseconds = (options.timeout ?? 2) * 1000;
  const results = await Promise.all(checks.map(async (check) => [check, await runCheck(check, milliseconds)] as const));
  return {
    status: results.reduce<HealthStatus>((worst, [check, { status }]) => worse(worst, weigh(check, status)), 'ok'),
    checks: Object.fromEntries(results.map(([check, result]) => [check.name, result])),
  };
}

const order: readonly HealthStatus[] = ['ok', 'degraded', 'down'];
const worse = (a: HealthStatus, b: HealthStatus) => (order.indexOf(a) > order.indexOf(b) ? a : b);
const weigh = (check: Check, status: HealthStatus): HealthStatus =>
  status === 'down' && !check.critical ? 'degraded' : status;

async function runCheck(check: Check, milliseconds: number): Promise<HealthCheck> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HealthCheck>((resolve) => {
    timer = setTimeout(resolve, milliseconds, { status: 'down', detail: 'did not answer in time' });
  });
  try {
    return await Promise.race([check.run(), late]);
  } catch {
    return { status: 'down', detail: 'failed' };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Health that may be asked for often: an answer is used for a second, and a check that hangs is not started again beside itself.
 */
export function createHealthProbe(checks: readonly Check[], options?: AggregateOptions): () => Promise<ServiceHealth> {
  const patient = checks.map(singleFlight);
  let answer: Promise<ServiceHealth> | undefined;
  let askedAt = 0;
  return () => {
    const now = performance.now();
    if (answer === undefined || now - askedAt > 1000) {
      askedAt = now;
      answer = aggregate(patient, options);
    }
    return answer;
  };
}

function singleFlight(check: Check): Check {
  let running: Promise<HealthCheck> | undefined;
  return {
    name: check.name,
    critical: check.critical,
    run() {
      running ??= (async () => check.run())().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
