import { createSealer, SealError } from './sealer.js';

const [first, second] = ['first key, thirty-two bytes or more', 'second key, thirty-two bytes or more'];

test('what is sealed comes back, and two seals of one text differ', () => {
  const sealer = createSealer([first as string]);
  const [a, b] = [sealer.seal('tökén', 'reset'), sealer.seal('tökén', 'reset')];
  expect(a).toMatch(/^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/);
  expect(a).not.toBe(b);
  expect([sealer.unseal(a, 'reset'), sealer.unseal(b, 'reset')]).toEqual(['tökén', 'tökén']);
});

test('S44 rotation: the first key seals, older ones still unseal; a dropped one does not', () => {
  const old = createSealer([second as string]).seal('x', 'p');
  const rotated = createSealer([first as string, second as string]);
  expect(rotated.unseal(old, 'p')).toBe('x');
  expect(createSealer([first as string]).unseal(rotated.seal('y', 'p'), 'p')).toBe('y');
  expect(() => createSealer([first as string]).unseal(old, 'p')).toThrow(SealError);
});

test('another purpose, an altered character, a cut or foreign text is refused', () => {
  const sealer = createSealer([first as string]);
  const sealed = sealer.seal('secret', 'reset');
  expect(() => sealer.unseal(sealed, 'invitation')).toThrow(SealError);
  const [version, id, nonce, content] = sealed.split('.') as [string, string, string, string];
  const flipped = Buffer.from(content, 'base64url');
  flipped[0] = (flipped[0] as number) ^ 1;
  for (const forged of [
    [version, id, nonce, flipped.toString('base64url')].join('.'),
    [version, id, nonce, content.slice(0, 8)].join('.'),
    [version, id, 'AAAA', content].join('.'),
    `${sealed}.x`,
    'v2.a.b.c',
    '',
  ])
    expect(() => sealer.unseal(forged, 'reset')).toThrow(SealError);
});

test('no keys, no sealer', () => {
  expect(() => createSealer([])).toThrow(SealError);
});
