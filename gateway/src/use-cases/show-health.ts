import type { HealthStatus, publicApi, ServiceHealth, SystemHealth } from '@latchkey/contracts';
import { type Clock, type Handler, withinTime } from '@latchkey/kit';

export type HealthSources = Readonly<Record<string, () => Promise<ServiceHealth>>>;

/** How long a service may take to say how it is, ms. */
const patience = 2_000;
/** An answer is good for this long, so that a flood of health checks stays cheap, ms. */
const goodFor = 1_000;

/** Asks every service at once; 503 in the same shape when one of them is down or does not answer. */
export function showHealth(deps: { health: HealthSources; clock: Clock }): Handler<typeof publicApi.showHealth> {
  let latest: { askedAt: number; answer: Promise<SystemHealth> } | undefined;

  return async (_input, _context, exchange) => {
    const now = deps.clock.now();
    if (latest === undefined || now - latest.askedAt >= goodFor || now < latest.askedAt) {
      latest = { askedAt: now, answer: askAll(deps.health) };
    }
    const answer = await latest.answer;
    if (answer.status === 'down') exchange.status(503);
    return answer;
  };
}

async function askAll(sources: HealthSources): Promise<SystemHealth> {
  const answers = await Promise.all(
    Object.entries(sources).map(async ([name, ask]) => [name, await askOne(ask)] as const),
  );
  return { status: worst(answers.map(([, { status }]) => status)), services: Object.fromEntries(answers) };
}

async function askOne(ask: () => Promise<ServiceHealth>): Promise<ServiceHealth> {
  try {
    return await withinTime(patience, ask, () => new Error('no answer in time'));
  } catch {
    return { status: 'down', checks: { answers: { status: 'down', detail: 'The service does not answer' } } };
  }
}

function worst(statuses: readonly HealthStatus[]): HealthStatus {
  if (statuses.includes('down')) return 'down';
  return statuses.includes('degraded') ? 'degraded' : 'ok';
}
