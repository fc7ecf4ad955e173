import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What limits count an address by (S20): an IPv4 address itself, also when it comes mapped into IPv6; of an IPv6 address its /64, all of
 * which one customer holds. What is no address (`system`, `unknown`) is counted by its text.
 */
export function clientNetwork(address: string): string {
  const bare = address.split('%', 1)[0] as string;
  if (isIP(bare) === 0) return address;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
