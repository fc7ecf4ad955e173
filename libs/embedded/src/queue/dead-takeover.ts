import { randomUUID } from 'node:crypto';
import type { ConsumeOptions } from '@latchkey/messaging';
import type { ConsumerDeps } from './queue-consumer.js';

/** Seconds until a dead delivery is offered again that nobody could store. */
const RETRY_SECONDS = 5;
const AT_ONCE = 10;

/** Hands over what lies dead in one queue, beside the consumer and never in its way. A row leaves only when `onDead` has resolved. */
export class DeadTakeover {
  readonly #queue: string;
  readonly #onDead: ConsumeOptions['onDead'];
  readonly #deps: ConsumerDeps;
  readonly #owner = randomUUID();
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(queue: string, onDead: ConsumeOptions['onDead'], deps: ConsumerDeps) {
    this.#queue = queue;
    this.#onDead = onDead;
    this.#deps = deps;
  }

  wake(): void {
    if (this.#stopped || !this.#deps.messages.readyDead(this.#queue, this.#owner)) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when the one that is being handed over is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await this.#deps.file.write(() => this.#deps.messages.release(this.#owner)).catch(() => undefined);
  }

  abandon(): void {
    this.#stopped = true;
  }

  /** Renews the lease of what is being handed over. */
  async renew(): Promise<void> {
    if (this.#running !== undefined) await this.#deps.file.write(() => this.#deps.messages.renew(this.#owner));
  }

  async #run(): Promise<void> {
    const { file, messages, logger } = this.#deps;
    try {
      while (!this.#stopped) {
        const claimed = await file.write(() => messages.claimDead(this.#queue, this.#owner, AT_ONCE));
        if (claimed.length === 0) return;
        for (const { seq, dead } of claimed) {
          if (this.#stopped) return;
          try {
            await this.#onDead(dead);
          } catch (error) {
            logger.error({ err: error, queue: this.#queue }, 'a dead delivery could not be stored; it stays');
            await file.write(() => messages.keepDead(seq, this.#owner, RETRY_SECONDS));
            continue;
          }
          await file.write(() => messages.settle(seq, this.#owner, { kind: 'done' }));
        }
      }
    } catch (error) {
      if (!this.#stopped) logger.warn({ err: error, queue: this.#queue }, 'taking over dead deliveries failed');
    }
  }
}
