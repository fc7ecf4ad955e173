import type { PaymentDependencies } from '../dependencies.js';

export interface ReconcileSteps {
  readonly resumeCheckouts: (signal?: AbortSignal) => Promise<void>;
  readonly settleStaleCheckouts: (signal?: AbortSignal) => Promise<number>;
  readonly fetchMissedEvents: (signal?: AbortSignal) => Promise<void>;
  /** How many checkouts are paid at the provider and not settled here. */
  readonly report: (paidUnfulfilled: number) => void;
}

/** Brings us level with the provider where its webhooks did not. Each step is tried, whatever happened to the one before. */
export function reconcile(deps: Pick<PaymentDependencies, 'logger'>, steps: ReconcileSteps) {
  return async (signal?: AbortSignal): Promise<void> => {
    const attempt = async (step: string, run: () => Promise<void>) => {
      if (signal?.aborted) return;
      await run().catch((error) => deps.logger.warn({ err: error, step }, 'a step of reconciling failed'));
    };
    await attempt('resume', () => steps.resumeCheckouts(signal));
    await attempt('settle', async () => steps.report(await steps.settleStaleCheckouts(signal)));
    await attempt('events', () => steps.fetchMissedEvents(signal));
  };
}
