import { createListener, createLogger, type Listener, systemClock } from '@latchkey/kit';
import { createStripeSimulator, type StripeSimulator } from '@latchkey/sandbox';
import express from 'express';

/** The payment simulator in this process, so that no death of ours takes its books along. */
export class Provider {
  readonly webhookSecret = 'secret of the simulated webhook';
  readonly #simulator: StripeSimulator;
  readonly #listener: Listener;

  constructor(dataDir: string, gatewayUrl: string) {
    this.#simulator = createStripeSimulator({
      dataDir,
      logger: createLogger({ service: 'stripe-simulator', level: 'silent' }),
      clock: systemClock,
      webhookUrl: `${gatewayUrl}/webhook/stripe`,
      webhookSecret: this.webhookSecret,
    });
    const app = express().use('/simulator', this.#simulator.router);
    this.#listener = createListener({ name: 'provider', app, host: '127.0.0.1', port: 0 });
  }

  /** Once started. */
  get apiUrl(): string {
    return `http://127.0.0.1:${this.#listener.port}/simulator`;
  }

  /** Turns the simulator's knobs: webhooks twice, held back, released in another order. */
  async control(wanted: Record<string, unknown>): Promise<{ held: { id: string; type: string }[]; pending: number }> {
    const answer = await fetch(`${this.apiUrl}/controls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json() as Promise<{ held: { id: string; type: string }[]; pending: number }>;
  }

  /** Sends what was refused once more, as a person does from the provider's own pages; true when there is nothing of the kind. */
  async resendRefused(): Promise<boolean> {
    if ((await this.control({})).pending === 0) return true;
    const answer = await fetch(`${this.apiUrl}/v1/events?delivery_success=false&limit=100`, {
      headers: { authorization: 'Bearer sk_test_faults' },
    });
    if (!answer.ok) throw new Error(await answer.text());
    const { data } = (await answer.json()) as { data: { id: string }[] };
    await this.control({ resend: data.map(({ id }) => id) });
    return false;
  }

  async start(): Promise<void> {
    await this.#simulator.start();
    await this.#listener.start();
  }

  async stop(): Promise<void> {
    await this.#listener.stop();
    await this.#simulator.stop();
  }
}
