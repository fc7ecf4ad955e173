import { Problem } from '@latchkey/kit';
import { UnavailableError } from '@latchkey/messaging';
import { ProviderError } from './payment-provider.js';

/** The provider's fault as a refusal: 503 when it cannot be reached, 502 when it answers with something unusable. Others pass as they are. */
export function toProblem(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.fault === 'unavailable') return new Problem('provider-unavailable', { retryAfter: 5, cause: error });
  return new Problem('provider-failed', { cause: error });
}

/** For handlers of messages: what passes by itself spends no attempt. */
export async function sparingAttempts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const passing =
      (error instanceof ProviderError && error.passing) || (error instanceof Problem && error.status >= 502);
    if (passing) throw new UnavailableError(error.message, { cause: error });
    throw error;
  }
}
