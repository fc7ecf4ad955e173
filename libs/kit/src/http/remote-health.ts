import { type ServiceHealth, serviceHealth } from '@latchkey/contracts';
import { request } from 'undici';

/** Asks another process's `/health`. One that cannot be reached, or does not answer within `timeout` seconds (default 3), is down. */
export function remoteHealth(options: { baseUrl: string; timeout?: number }): () => Promise<ServiceHealth> {
  const url = `${options.baseUrl.replace(/\/+$/, '')}/health`;
  return async () => {
    try {
      const { body } = await request(url, { signal: AbortSignal.timeout((options.timeout ?? 3) * 1000) });
      return serviceHealth.parse(await body.json());
    } catch {
      return { status: 'down', checks: {} };
    }
  };
}
