import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { importsOf, sourceFiles, violation } from './import-rule.js';

const root = resolve(__dirname, '../..');
const files = ['libs', 'services', 'gateway'].flatMap((folder) => sourceFiles(root, folder));
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

test('everything may know the contracts, nobody knows a neighbour, only composition knows implementations', () => {
  const violations = files.flatMap((file) => importsOf(root, file)).flatMap((found) => violation(root, found) ?? []);
  expect(violations).toEqual([]);
  expect(files.length).toBeGreaterThan(100);
});

test.each([
  ['a service that knows its neighbour', 'services/auth/src/x.ts', '@latchkey/user'],
  ['a service that knows an implementation', 'services/user/src/x.ts', '@latchkey/embedded'],
  ['a path into a neighbour', 'services/auth/src/x.ts', '../../user/src/user.js'],
  ['a path into a package', 'gateway/src/x.ts', '@latchkey/kit/dist/http/server.js'],
  ['a library that knows a service', 'libs/kit/src/x.ts', '@latchkey/auth'],
  ['contracts that know the kit', 'libs/contracts/src/x.ts', '@latchkey/kit'],
  ['a service that knows the tests', 'services/auth/src/x.ts', '@latchkey/tests'],
  ['hashing outside auth', 'gateway/src/x.ts', 'bcrypt'],
])('the rule catches %s', (_name, from, specifier) => {
  expect(violation(root, { from, specifier })).toEqual(expect.any(String));
});

test('the rule lets the standalone composition know everybody', () => {
  expect(violation(root, { from: 'services/standalone/src/x.ts', specifier: '@latchkey/embedded' })).toBeUndefined();
});

test('process.env is read in one place', () => {
  const readers = files.filter((file) => !file.endsWith('.test.ts') && /process\.env\b/.test(read(file)));
  expect(readers).toHaveLength(1);
  expect(readers[0]).toMatch(/^libs\/kit\/src\/config\//);
});

test('no aggregate is saved as a whole document (O5)', () => {
  expect(files.filter((file) => !file.endsWith('.test.ts') && /\.save\(/.test(read(file)))).toEqual([]);
});

test('files stay small: none over 250 lines, a median of at most 80', () => {
  const lengths = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, lines: read(file).split('\n').length }));
  expect(lengths.filter(({ lines }) => lines > 251)).toEqual([]);
  const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(80);
});

test('names say what a thing is', () => {
  expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|manager)(\.|\/|-)/.test(file))).toEqual([]);
});

test('type errors are suppressed rarely and with a reason (Biome refuses `any` without one)', () => {
  const suppressed = files.flatMap((file) => read(file).match(/.*@ts-(ignore|expect-error|nocheck).*/g) ?? []);
  expect(suppressed.filter((line) => !/@ts-expect-error .{15,}/.test(line))).toEqual([]);
  expect(suppressed.length).toBeLessThanOrEqual(5);
});
