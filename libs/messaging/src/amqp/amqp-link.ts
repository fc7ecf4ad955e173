import type { Logger } from '@latchkey/kit';
import type { ChannelModel } from 'amqplib';
import { closeWithin, connectAmqp, sever } from './connect-amqp.js';
import { pause, reconnectDelay } from './pause.js';

export interface LinkOptions {
  readonly url: string;
  readonly name: string;
  readonly logger: Logger;
  readonly heartbeatSeconds: number;
  readonly random: () => number;
  /** Builds what lives on a new connection. When it rejects, the connection is given up and another one tried. */
  readonly setUp: (connection: ChannelModel) => Promise<void>;
  /** The connection is gone; what lived on it is dead. */
  readonly lost: (reason: Error) => void;
  /** A try has failed. */
  readonly failed: (error: Error) => void;
}

const CONNECT_LIMIT_MS = 10_000;
const SET_UP_LIMIT_MS = 30_000;
const CLOSE_LIMIT_MS = 1_000;
/** A connection that lived so long was a good one: the next try after it comes soon. */
const PROVEN_MS = 10_000;

/** One connection that comes back: back-off with jitter, everything on it rebuilt (P2: amqplib's own recovery leaves held channels dead). */
export class AmqpLink {
  readonly #options: LinkOptions;
  readonly #stop = new AbortController();
  #connection: ChannelModel | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  /** Gives the connection up for another one, at once. */
  drop(reason: string): void {
    if (this.#connection === undefined || this.#stop.signal.aborted) return;
    this.#options.logger.warn({ connection: this.#options.name, reason }, 'the connection to the broker is given up');
    sever(this.#connection);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#connection !== undefined) await closeWithin(this.#connection, CLOSE_LIMIT_MS);
  }

  /** Cuts the socket and does not come back, as a dying process does. */
  abandon(): void {
    this.#stop.abort();
    if (this.#connection !== undefined) sever(this.#connection);
  }

  async #run(): Promise<void> {
    const { logger, name, random } = this.#options;
    const { signal } = this.#stop;
    for (let tries = 0; !signal.aborted; tries += 1) {
      const begun = performance.now();
      try {
        const reason = await this.#live();
        if (!signal.aborted) logger.warn({ connection: name, err: reason }, 'the connection to the broker is lost');
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ connection: name, err: error, tries }, 'the broker cannot be used yet');
        this.#options.failed(error as Error);
      }
      if (performance.now() - begun > PROVEN_MS) tries = 0;
      await pause(reconnectDelay(tries, random), signal);
    }
  }

  /** One life of a connection; resolves with the reason of its end, rejects when it was never usable. */
  async #live(): Promise<Error> {
    const { url, name, heartbeatSeconds, logger } = this.#options;
    let cause: Error | undefined;
    const connection = await connectAmqp({ url, name, heartbeatSeconds, timeoutMs: CONNECT_LIMIT_MS }, (error) => {
      cause ??= error;
    });
    const closed = new Promise<Error>((resolve) => {
      connection.once('close', (error?: Error) => resolve(cause ?? error ?? new Error('closed')));
    });
    this.#connection = connection;
    try {
      if (this.#stop.signal.aborted) {
        await closeWithin(connection, CLOSE_LIMIT_MS);
        return new Error('stopped');
      }
      await this.#setUp(connection, closed);
      logger.info({ connection: name }, 'connected to the broker');
      return await closed;
    } finally {
      this.#connection = undefined;
      this.#options.lost(cause ?? new Error('the connection is closed'));
    }
  }

  async #setUp(connection: ChannelModel, closed: Promise<Error>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the broker took too long')), SET_UP_LIMIT_MS);
      void closed.then(reject);
    });
    try {
      await Promise.race([this.#options.setUp(connection), over]);
    } catch (error) {
      sever(connection);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
