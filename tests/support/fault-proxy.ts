import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** As the client sees it. */
export type Direction = 'request' | 'reply';

interface Faults {
  latencyMs: number;
  /** Of each connection and direction. */
  bytesPerSecond: number;
  /** How many more bytes may pass before both ends are reset. */
  readonly budget: Partial<Record<Direction, number>>;
  readonly held: Set<Direction>;
  refusing: boolean;
}

/**
 * A TCP proxy on loopback that breaks what passes through it, for any protocol. Faults hold for open and for new connections until {@link heal}.
 * What a black hole took is delivered when it is healed, as TCP would by sending it again.
 */
export class FaultProxy {
  readonly #server: Server;
  readonly #links = new Set<{ client: Socket; server: Socket }>();
  #faults = noFaults();
  #wake: (() => void)[] = [];
  /** Bytes that reached the other side, since the start. */
  readonly passed: Record<Direction, number> = { request: 0, reply: 0 };

  private constructor(to: { port: number; host?: string }) {
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      if (this.#faults.refusing) return client.resetAndDestroy();
      const server = connect({ port: to.port, host: to.host ?? '127.0.0.1', allowHalfOpen: true });
      const link = { client, server };
      this.#links.add(link);
      for (const socket of [client, server]) {
        socket.on('error', () => undefined);
        socket.once('close', () => {
          this.#links.delete(link);
          client.destroy();
          server.destroy();
          this.#wakeAll();
        });
      }
      void this.#pass(client, server, 'request');
      void this.#pass(server, client, 'reply');
    });
  }

  static async to(port: number, host?: string): Promise<FaultProxy> {
    const proxy = new FaultProxy({ port, ...(host !== undefined && { host }) });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#links.size;
  }

  /** Everything that passes is late by this much. */
  latency(ms: number): void {
    this.#faults.latencyMs = ms;
  }

  /** Each connection carries no more than this, in each direction. */
  bandwidth(bytesPerSecond: number): void {
    this.#faults.bytesPerSecond = bytesPerSecond;
  }

  /** After so many more bytes in this direction (over all connections) the connection is reset. */
  cutAfter(bytes: number, direction: Direction): void {
    this.#faults.budget[direction] = bytes;
  }

  /** Nothing passes in these directions any more, and nobody is told. */
  blackhole(...directions: Direction[]): void {
    for (const direction of directions.length > 0 ? directions : (['request', 'reply'] as const))
      this.#faults.held.add(direction);
  }

  /** Resets all open connections; new ones work. */
  reset(): void {
    for (const { client, server } of this.#links) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /** Resets all open connections and each new one, as a machine does where nothing listens. */
  refuse(): void {
    this.#faults.refusing = true;
    this.reset();
  }

  heal(): void {
    this.#faults = noFaults();
    this.#wakeAll();
  }

  async stop(): Promise<void> {
    this.reset();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(from: Socket, to: Socket, direction: Direction): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        await this.#delay(chunk.length);
        while (this.#faults.held.has(direction)) await this.#changed(from);
        const budget = this.#faults.budget[direction] ?? Number.POSITIVE_INFINITY;
        const passing = chunk.subarray(0, budget);
        this.passed[direction] += passing.length;
        if (passing.length > 0 && !to.write(passing)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
        if (budget !== Number.POSITIVE_INFINITY) this.#faults.budget[direction] = budget - passing.length;
        if (passing.length < chunk.length || budget === passing.length) return this.#cut(from, to);
      }
      to.end();
    } catch {
      from.destroy();
      to.destroy();
    }
  }

  /** What was written before the cut still arrives; a reset would overtake it. */
  #cut(from: Socket, to: Socket): void {
    to.end(() => to.destroy());
    from.resetAndDestroy();
  }

  async #delay(bytes: number): Promise<void> {
    const { latencyMs, bytesPerSecond } = this.#faults;
    const wait = latencyMs + (1_000 * bytes) / bytesPerSecond;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }

  async #changed(socket: Socket): Promise<void> {
    if (socket.destroyed) throw new Error('closed');
    await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

function noFaults(): Faults {
  return { latencyMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY, budget: {}, held: new Set(), refusing: false };
}
