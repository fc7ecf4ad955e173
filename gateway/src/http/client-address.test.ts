import { clientAddress, trustedProxies } from './client-address.js';

/** As the configuration gives it: a number of hops, or a list. */
const parse = (text: string) => {
  if (text === 'none') return trustedProxies([]);
  return trustedProxies(/^\d$/.test(text) ? Number(text) : text.split(', '));
};
const of = (trust: string, peer: string | undefined, forwardedFor?: string) =>
  clientAddress(parse(trust), peer, forwardedFor).address;

test.each([
  ['none', '203.0.113.9', '10.0.0.1', '203.0.113.9'],
  ['none', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['1', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['1', '10.0.0.1', 'forged, 203.0.113.9', '203.0.113.9'],
  ['1', '10.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['2', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['2', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['1', '10.0.0.1', undefined, '10.0.0.1'],
  ['1', '10.0.0.1', 'junk', '10.0.0.1'],
  ['1', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['1', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['10.0.0.0/8', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
  ['10.0.0.0/8', '203.0.113.9', '6.6.6.6', '203.0.113.9'],
  ['10.0.0.0/8, 2001:db8::/32', '2001:db8::7', '203.0.113.9', '203.0.113.9'],
  ['127.0.0.1', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['loopback, uniquelocal', '::1', '203.0.113.9, 192.168.7.7', '203.0.113.9'],
  ['1', 'fe80::1%eth0', undefined, 'fe80::1'],
  ['none', undefined, undefined, 'unknown'],
])('S20 TRUST_PROXY %s, peer %s, X-Forwarded-For %s → %s', (trust, peer, forwardedFor, address) => {
  expect(of(trust, peer, forwardedFor)).toBe(address);
});

test('an endless header is cut, not walked', () => {
  expect(of('10.0.0.0/8', '10.0.0.1', `6.6.6.6,${'10.0.0.2,'.repeat(100_000)}10.0.0.3`)).toBe('10.0.0.2');
});

test('limits count IPv6 by its /64', () => {
  const network = (peer: string) => clientAddress([], peer, undefined).network;
  expect(network('2001:db8:1:2::5')).toBe('2001:db8:1:2::/64');
  expect(network('2001:db8:1:2:ffff::6')).toBe(network('2001:db8:1:2::5'));
  expect(network('2001:db8:1:3::5')).not.toBe(network('2001:db8:1:2::5'));
  expect(network('::ffff:203.0.113.9')).toBe('203.0.113.9');
});
