import { type Answer, ApiClient, type RequestOptions } from './api-client.js';

/** How long a client goes on trying, ms. */
const PATIENCE_MS = 120_000;

/**
 * A client of several gateways, as the README tells clients to be: it goes to the next gateway when a connection fails, and comes back when a 503 or 502 says so. It counts
 * what it sent, since a lost answer may have been a success.
 */
export class RoamingClient extends ApiClient {
  /** Requests sent so far, repetitions included. */
  sent = 0;
  #turn: number;

  constructor(
    private readonly urls: readonly string[],
    first = 0,
  ) {
    super(urls[0] as string);
    this.#turn = first;
  }

  override async request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const url = this.urls[this.#turn++ % this.urls.length] as string;
      this.sent += 1;
      try {
        const answer = await super.request(method, new URL(path, url).toString(), body, options);
        if (answer.status !== 503 || performance.now() > giveUpAt) return answer;
      } catch (error) {
        if (performance.now() > giveUpAt) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
