import { type ServiceHealth, serviceHealth } from '@latchkey/contracts';
import { undici } from '../undici.js';

const away: ServiceHealth = { status: 'down', checks: {} };

/**
 * Asks the `/health` of a service's instances and tells the best of what they say, since one is enough to serve; `degraded` when others are down. One that
 * cannot be reached, or does not answer within `timeout` seconds (default 3), is down.
 */
export function remoteHealth(options: { baseUrls: readonly string[]; timeout?: number }): () => Promise<ServiceHealth> {
  async function ask(baseUrl: string): Promise<ServiceHealth> {
    try {
      const url = `${baseUrl.replace(/\/+$/, '')}/health`;
      const { body } = await undici().request(url, { signal: AbortSignal.timeout((options.timeout ?? 3) * 1000) });
      return serviceHealth.parse(await body.json());
    } catch {
      return away;
    }
  }

  return async () => {
    const answers = await Promise.all(options.baseUrls.map(ask));
    const best =
      answers.find(({ status }) => status === 'ok') ?? answers.find(({ status }) => status !== 'down') ?? answers[0];
    if (best === undefined || best.status === 'down') return best ?? away;
    return answers.some(({ status }) => status === 'down') ? { ...best, status: 'degraded' } : best;
  };
}
