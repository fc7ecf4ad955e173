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

  async start(): Promise<void> {
    await this.#simulator.start();
    await this.#listener.start();
  }

  async stop(): Promise<void> {
    await this.#listener.stop();
    await this.#simulator.stop();
  }
}
