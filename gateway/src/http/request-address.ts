import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@latchkey/kit';
import { type ClientAddress, clientAddress, trustedProxies } from './client-address.js';

/** The address of the client behind a request, worked out once for each. */
export type AddressOf = (request: IncomingMessage) => ClientAddress;

/** `trustProxy`: TRUST_PROXY. While nobody is trusted, the first `X-Forwarded-For` is warned about: limits would count the proxy as one client. */
export function createAddressOf(options: { trustProxy: number | readonly string[]; logger: Logger }): AddressOf {
  const trust = trustedProxies(options.trustProxy);
  let mayWarn = typeof trust !== 'number' && trust.length === 0;
  const known = new WeakMap<IncomingMessage, ClientAddress>();
  /** Of connections on which no proxy tells for whom it asks: many requests share one. */
  const peers = new WeakMap<Socket, ClientAddress>();
  const ofPeer = (socket: Socket) => {
    let address = peers.get(socket);
    if (address === undefined) {
      address = clientAddress(trust, socket.remoteAddress, undefined);
      // What has no address any more is closed.
      if (socket.remoteAddress !== undefined) peers.set(socket, address);
    }
    return address;
  };
  return (request) => {
    // Node joins several headers of this name with commas.
    const forwardedFor = request.headers['x-forwarded-for'] as string | undefined;
    if (forwardedFor === undefined) return ofPeer(request.socket);
    let address = known.get(request);
    if (address !== undefined) return address;
    if (mayWarn) {
      mayWarn = false;
      options.logger.warn(
        'X-Forwarded-For arrived but TRUST_PROXY is not set: behind a proxy every client counts as one',
      );
    }
    address = clientAddress(trust, request.socket.remoteAddress, forwardedFor);
    known.set(request, address);
    return address;
  };
}
