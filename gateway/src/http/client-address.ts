import { clientNetwork } from '@latchkey/kit';
import ipaddr from 'ipaddr.js';

/** Whom `X-Forwarded-For` is believed from: that many proxies in front of us, or proxies in these networks; an empty list is nobody. */
export type TrustedProxies = number | readonly Network[];
type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** `address`: canonical text, IPv4 also when it came mapped into IPv6. `network`: what limits count by, the /64 of an IPv6 address. */
export interface ClientAddress {
  readonly address: string;
  readonly network: string;
}

/** No honest chain of proxies is longer; the rest of a header is not looked at. */
const maxProxies = 20;

const named: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** From TRUST_PROXY's value: a number of hops, or addresses, networks and the names `loopback`, `linklocal`, `uniquelocal`. */
export function trustedProxies(setting: number | readonly string[]): TrustedProxies {
  if (typeof setting === 'number') return Math.min(setting, maxProxies);
  return setting.flatMap((entry) => (named[entry] ?? [entry]).map(parseNetwork));
}

/**
 * The client's address (S20): the socket's peer, or, seen through trusted proxies only, the rightmost address of `X-Forwarded-For` that none of them
 * vouches past. What a client writes into that header itself stands to the left of it and is never believed.
 */
export function clientAddress(
  trust: TrustedProxies,
  peer: string | undefined,
  forwardedFor: string | undefined,
): ClientAddress {
  let client = parseAddress(peer ?? '');
  if (client === undefined) return { address: 'unknown', network: 'unknown' };
  if (forwardedFor !== undefined && (typeof trust === 'number' || trust.length > 0)) {
    const chain = forwardedFor.split(',').slice(-maxProxies).reverse();
    for (const [hop, entry] of chain.entries()) {
      if (typeof trust === 'number' ? hop >= trust : !isIn(trust, client)) break;
      const next = parseAddress(entry);
      if (next === undefined) break;
      client = next;
    }
  }
  const address = client.toString();
  return { address, network: clientNetwork(address) };
}

function isIn(networks: readonly Network[], address: Address): boolean {
  return networks.some(([network, bits]) =>
    address instanceof ipaddr.IPv4
      ? network instanceof ipaddr.IPv4 && address.match(network, bits)
      : network instanceof ipaddr.IPv6 && address.match(network, bits),
  );
}

/** Accepts what proxies write: `1.2.3.4`, `1.2.3.4:80`, `2001:db8::1`, `[2001:db8::1]:80`, with or without a zone. */
function parseAddress(text: string): Address | undefined {
  const trimmed = text.trim();
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.split('%', 1)[0] as string;
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  return ipaddr.IPv6.isValid(address) ? ipaddr.process(address) : undefined;
}

function parseNetwork(text: string): Network {
  const address = parseAddress(text);
  if (address !== undefined) return [address, address instanceof ipaddr.IPv4 ? 32 : 128];
  if (!ipaddr.isValidCIDR(text)) throw new Error(`"${text}" is neither an address nor a network`);
  return ipaddr.parseCIDR(text);
}
