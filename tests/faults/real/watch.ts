import type { RealSystem } from './real-system.js';

/** What somebody gets to see who asks for one thing after the other while something is broken. */
export class Watch {
  asked = 0;
  longestMs = 0;
  readonly statuses: Record<number, number> = {};
  /** Neither a success nor a clear "not now": no answer at all, or a 500. */
  readonly unclear: string[] = [];
  readonly #system: RealSystem;
  #running = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(system: RealSystem) {
    this.#system = system;
  }

  begin(): void {
    this.asked = 0;
    this.#running = true;
    this.#work = Promise.all([this.#keepAsking(), this.#keepAsking()]);
  }

  async end(): Promise<void> {
    this.#running = false;
    await this.#work;
  }

  facts(): Record<string, unknown> {
    return { during: this.statuses, longestMs: Math.round(this.longestMs), unclear: this.unclear.length };
  }

  async #keepAsking(): Promise<void> {
    for (let turn = 0; this.#running; turn += 1) {
      const client = this.#system.client();
      if (turn % 2 === 0) await this.#ask('POST /login', () => client.post('/login', this.#system.adminCredentials));
      else
        await this.#ask('POST /reset-password', () => client.post('/reset-password', { email: 'nobody@example.net' }));
    }
  }

  async #ask(what: string, request: () => Promise<{ status: number; headers: Headers }>): Promise<void> {
    const began = performance.now();
    try {
      const { status, headers } = await request();
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      const clear = status < 500 || (status === 503 && headers.get('retry-after') !== null);
      if (!clear) this.unclear.push(`${what}: ${status}`);
    } catch (error) {
      this.unclear.push(`${what}: ${error}`);
    }
    this.asked += 1;
    this.longestMs = Math.max(this.longestMs, performance.now() - began);
  }
}
