import type { Duplex } from 'node:stream';
import type { ChannelModel } from 'amqplib';

/** Loaded at its first use: a standalone start has no broker. */
const amqplib = () => require('amqplib') as typeof import('amqplib');

export interface ConnectOptions {
  readonly url: string;
  /** Shown in the broker's list of connections. */
  readonly name: string;
  readonly heartbeatSeconds: number;
  /** Milliseconds for the whole handshake. */
  readonly timeoutMs: number;
}

/** One connection with heartbeats. Whoever opens it listens to `close`; `error` has a listener already (P1). Rejects within the time given. */
export async function connectAmqp(o: ConnectOptions, failed: (error: Error) => void): Promise<ChannelModel> {
  const url = new URL(o.url);
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(o.heartbeatSeconds));
  const connection = await amqplib().connect(url.href, {
    timeout: o.timeoutMs,
    noDelay: true,
    keepAlive: true,
    clientProperties: { connection_name: o.name },
  });
  connection.on('error', failed);
  return connection;
}

/** Cuts the socket: for a peer that does not answer, to which a closing handshake would wait for ever. `close` follows. */
export function sever(connection: ChannelModel): void {
  // Not among its types, but the only way to the socket.
  const { stream } = connection.connection as unknown as { readonly stream: Duplex };
  stream.destroy(new Error('cut off'));
}

/** Closes with the handshake if that takes no longer than `limitMs`, else without. */
export async function closeWithin(connection: ChannelModel, limitMs: number): Promise<void> {
  const timer = setTimeout(() => sever(connection), limitMs);
  const gone = new Promise<void>((resolve) => connection.once('close', () => resolve()));
  try {
    await Promise.race([connection.close(), gone]);
  } catch {
    // It was closed already.
  } finally {
    clearTimeout(timer);
  }
}
