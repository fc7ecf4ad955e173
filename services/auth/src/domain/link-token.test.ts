import { newLinkSecret } from './link-token.js';

test('S46 of 10 000 link secrets none comes twice, each has 256 bits, and every digit is as likely as any', () => {
  const secrets = Array.from({ length: 10_000 }, newLinkSecret);
  expect(new Set(secrets).size).toBe(10_000);
  const counts = new Map<string, number>();
  for (const secret of secrets) {
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    for (const digit of secret) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  // 640 000 digits: each about 40 000 times, standard deviation 194; eight of them is never chance.
  for (const count of counts.values()) expect(Math.abs(count - 40_000)).toBeLessThan(1_550);
});
