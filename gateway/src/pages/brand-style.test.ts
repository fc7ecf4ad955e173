import fc from 'fast-check';
import { brandStyle, contrast } from './brand-style.js';

const colour = fc
  .tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })))
  .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`);
const valuesOf = (style: string, name: string) =>
  [...style.matchAll(new RegExp(`--${name}:(#[0-9a-f]{6})`, 'g'))].map(([, value = '']) => value);

test('whatever the colour, what is written on it and the accent on both grounds can be read', () => {
  fc.assert(
    fc.property(colour, (brand) => {
      const style = brandStyle(brand);
      expect(contrast(brand, valuesOf(style, 'on-brand')[0] ?? '')).toBeGreaterThanOrEqual(4.5);
      const [light = '', dark = ''] = valuesOf(style, 'accent');
      for (const ground of ['#ffffff', '#f5f6f8', '#eef0f4'])
        expect(contrast(light, ground)).toBeGreaterThanOrEqual(4.5);
      for (const ground of ['#0e1116', '#171b22', '#1f242d'])
        expect(contrast(dark, ground)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a colour that reads well already is left as it is', () => {
  expect(valuesOf(brandStyle('#3454d1'), 'accent')[0]).toBe('#3454d1');
  expect(valuesOf(brandStyle('#3454d1'), 'on-brand')).toEqual(['#ffffff']);
  expect(valuesOf(brandStyle('#ffd400'), 'on-brand')).toEqual(['#000000']);
});
