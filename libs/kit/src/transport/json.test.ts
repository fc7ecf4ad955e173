import type { Problem } from '../problem.js';
import { parseJson, parseJsonBytes } from './json.js';

const codeOf = (parse: () => unknown) => {
  try {
    return parse();
  } catch (error) {
    return (error as Problem).code;
  }
};

test.each([
  '{"__proto__":1}',
  '{"a":[{"b":{"__proto__":{"admin":true}}}]}',
  '{"a":{"\\u005f_proto__":1}}',
  '{"a":{"_\\u005Fproto\\u005f_":1}}',
])('S69 %s is refused however deep, also where a schema takes any key', (text) => {
  expect(codeOf(() => parseJson(text))).toBe('validation-failed');
});

test('the word as a value, or an escape elsewhere, is fine', () => {
  expect(parseJson('{"a":"__proto__","b":"\\u00fc"}')).toEqual({ a: '__proto__', b: 'ü' });
});

test('nesting without end does not exhaust the stack', () => {
  const depth = 40_000;
  expect(codeOf(() => parseJson(`${'['.repeat(depth)}"\\u0041"${']'.repeat(depth)}`))).toHaveLength(1);
});

test.each([
  ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
  ['a byte order mark', Buffer.from('\ufeff{}')],
  ['nothing', Buffer.alloc(0)],
])('%s is malformed-json', (_name, bytes) => {
  expect(codeOf(() => parseJsonBytes(bytes))).toBe('malformed-json');
});
