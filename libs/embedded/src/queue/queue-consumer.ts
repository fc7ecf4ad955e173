import { randomUUID } from 'node:crypto';
import type { Logger } from '@latchkey/kit';
import type { ConsumeOptions, Outcome } from '@latchkey/messaging';
import { DeadTakeover } from './dead-takeover.js';
import type { Claimed, Messages } from './messages.js';
import type { QueueFile } from './queue-file.js';

export interface ConsumerDeps {
  readonly file: QueueFile;
  readonly messages: Messages;
  readonly logger: Logger;
  /** How often other processes' writes and passed delays are looked for; what this process publishes wakes at once. */
  readonly pollMs: number;
  readonly leaseMs: number;
}

const STOP_LIMIT_MS = 8_000;

/** Takes messages of one queue under a lease, hands them on, and writes down how each ended. */
export class QueueConsumer {
  readonly #queue: string;
  readonly #options: ConsumeOptions;
  readonly #deps: ConsumerDeps;
  readonly #owner = randomUUID();
  readonly #dead: DeadTakeover;
  readonly #underWay = new Set<Promise<void>>();
  readonly #poll: NodeJS.Timeout;
  readonly #renewal: NodeJS.Timeout;
  #filling: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #suspectUnderWay = false;
  #suspectsTurn = true;

  constructor(queue: string, options: ConsumeOptions, deps: ConsumerDeps) {
    this.#queue = queue;
    this.#options = options;
    this.#deps = deps;
    this.#dead = new DeadTakeover(queue, options.onDead, deps);
    this.#poll = setInterval(() => this.wake(), deps.pollMs);
    this.#renewal = setInterval(() => void this.#renew(), deps.leaseMs / 4);
    this.wake();
  }

  get queue(): string {
    return this.#queue;
  }

  wake(): void {
    this.#again = true;
    if (this.#stopped) return;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Claims no more, waits (bounded) for what is under way and gives the rest back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    await this.#filling;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_LIMIT_MS);
    });
    await Promise.race([Promise.allSettled([...this.#underWay, this.#dead.stop()]), limit]);
    clearTimeout(timer);
    clearInterval(this.#renewal);
    await this.#deps.file.write(() => this.#deps.messages.release(this.#owner)).catch(() => undefined);
  }

  abandon(): void {
    this.#stopped = true;
    this.#dead.abandon();
    clearInterval(this.#poll);
    clearInterval(this.#renewal);
  }

  async #fill(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        this.#dead.wake();
        while (!this.#stopped && (await this.#claim()) > 0);
      } catch (error) {
        if (!this.#stopped) this.#deps.logger.warn({ err: error, queue: this.#queue }, 'claiming messages failed');
      }
    }
  }

  /**
   * Takes as many as there is room for. A message whose holders died several times is taken only when nothing else is under way, and nothing is taken
   * beside it; ordinary ones get their turn in between (F7).
   */
  async #claim(): Promise<number> {
    const { file, messages } = this.#deps;
    const free = this.#options.prefetch - this.#underWay.size;
    if (free <= 0 || this.#suspectUnderWay) return 0;
    const ready = messages.ready(this.#queue, this.#owner);
    const suspect = ready.suspect && (this.#suspectsTurn || !ready.ordinary);
    if (suspect && this.#underWay.size > 0) return 0;
    if (!suspect && !ready.ordinary) return 0;

    const claimed = await file.write(() =>
      messages.claim(this.#queue, this.#owner, suspect ? 1 : free, suspect ? 'suspect' : 'ordinary'),
    );
    this.#suspectsTurn = !suspect;
    this.#suspectUnderWay = suspect && claimed.length > 0;
    for (const message of claimed) {
      const work: Promise<void> = this.#handle(message).finally(() => {
        this.#underWay.delete(work);
        this.#suspectUnderWay = false;
        this.wake();
      });
      this.#underWay.add(work);
    }
    return claimed.length;
  }

  async #handle({ seq, body, attempt, deliveries }: Claimed): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = await this.#options.onDelivery({ queue: this.#queue, body, attempt, deliveries });
    } catch (error) {
      this.#deps.logger.error({ err: error, queue: this.#queue }, 'a consumer threw instead of giving an outcome');
      outcome = { kind: 'retry', delay: 5, spendsAttempt: true, reason: String(error) };
    }
    await this.#settle(seq, outcome);
  }

  /** The outcome is known: it is written as soon as the file can be, and the lease is renewed meanwhile. */
  async #settle(seq: number, outcome: Outcome): Promise<void> {
    const { file, messages, logger } = this.#deps;
    for (let wait = 100; ; wait = Math.min(2_000, wait * 2)) {
      try {
        await file.write(() => messages.settle(seq, this.#owner, outcome));
        return;
      } catch (error) {
        if (this.#stopped) return;
        logger.warn({ err: error, queue: this.#queue, outcome: outcome.kind }, 'an outcome could not be written yet');
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  async #renew(): Promise<void> {
    try {
      await this.#dead.renew();
      if (this.#underWay.size > 0) await this.#deps.file.write(() => this.#deps.messages.renew(this.#owner));
    } catch {
      // Not renewed in time: others may take over, which handlers expect.
    }
  }
}
