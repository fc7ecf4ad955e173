import { isIP, isIPv6 } from 'node:net';

/**
 * What an address is counted by: an IPv4 address itself, of an IPv6 one its /64 (one customer holds all of it), IPv4-mapped ones as IPv4.
 * Anything that is no address (the system itself) is counted by its text.
 */
export function networkOf(address: string): string {
  const bare = address.split('%')[0] as string;
  if (isIP(bare) === 0 || !isIPv6(bare)) return bare;
  const groups = expand(bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high, low] = [groups[6] as number, groups[7] as number];
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function expand(address: string): number[] {
  const [head = '', tail] = withoutDots(address).split('::');
  const before = parse(head);
  if (tail === undefined) return before;
  const after = parse(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function parse(groups: string): number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16));
}

/** `::ffff:10.0.0.1` → `::ffff:a00:1` */
function withoutDots(address: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (!dotted) return address;
  const [a, b, c, d] = dotted.slice(1).map(Number) as [number, number, number, number];
  return `${address.slice(0, dotted.index)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
