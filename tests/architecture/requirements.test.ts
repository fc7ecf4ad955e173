// Every row of the requirement lists is held by a test that says so in its name.
import { resolve } from 'node:path';
import { missingIds, testFiles, titlesIn, titlesOf } from './test-titles.js';

const root = resolve(__dirname, '../..');

const range = (letter: string, from: number, to: number, width = 1) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${letter}${String(from + n).padStart(width, '0')}`);

/** Security S01–S74; faults and outbox rows that this repository's own parts can show; pitfalls of the libraries that are in use. */
const required = [
  ...range('S', 1, 74, 2),
  ...range('O', 1, 11),
  ...['F1', 'F2', 'F3', 'F5', 'F6', 'F7', 'F13', 'F16', 'F17', 'F18', 'F19', 'F20', 'F21', 'F22', 'F23', 'F24', 'F25'],
  ...['F26', 'F27', 'F28', 'F30', 'F31', 'F33', 'F34'],
  ...range('P', 12, 30),
  'P35',
  // The broker.
  ...range('P', 1, 11),
  ...['P33', 'F8', 'F9', 'F10', 'F11', 'F12', 'F14', 'F32'],
];

const onBroker = (file: string) => ({ script: 'test:real', file: `tests/real/messaging/${file}.test.ts` });

/** Rows whose promise cannot be shown by the ordinary run: times want a quiet machine, kills and load a process of their own. Each has a script (`npm run test:…`). */
const ownScript: Readonly<Record<string, { readonly script: string; readonly file: string }>> = {
  S15: { script: 'test:timing', file: 'tests/timing/enumeration.test.ts' },
  S16: { script: 'test:timing', file: 'tests/timing/enumeration.test.ts' },
  F1: { script: 'test:faults', file: 'tests/faults/kill.test.ts' },
  F3: { script: 'test:faults', file: 'tests/faults/kill.test.ts' },
  F33: { script: 'test:faults', file: 'tests/faults/load.test.ts' },
  F8: onBroker('broker-away'),
  F9: onBroker('broker-away'),
  F10: onBroker('partition'),
  F11: onBroker('publishing'),
  F12: onBroker('publishing'),
  F14: onBroker('topology'),
  F32: onBroker('publishing'),
  P1: onBroker('broker-away'),
  P2: onBroker('broker-away'),
  P3: onBroker('broker-away'),
  P4: onBroker('publishing'),
  P5: onBroker('publishing'),
  P6: onBroker('broker-away'),
  P7: onBroker('topology'),
  P8: onBroker('topology'),
  P9: onBroker('broker-away'),
  P10: onBroker('deaths'),
  P11: onBroker('dead-letters'),
  P33: onBroker('broker-away'),
};

const ordinary = ['libs', 'services', 'gateway', 'tests/e2e', 'tests/contract', 'tests/architecture'].flatMap(
  (folder) => testFiles(root, folder),
);
const titles = ordinary.flatMap((file) => titlesIn(root, file));

test('every row is named by a test of the ordinary run, or has a script of its own', () => {
  const elsewhere = new Set(Object.keys(ownScript));
  expect(missingIds(required, titles).filter((id) => !elsewhere.has(id))).toEqual([]);
  expect(ordinary.length).toBeGreaterThan(100);
});

/** Rows that are shown on RabbitMQ, a server of MongoDB's wire protocol and processes of their own too, not on the embedded parts alone. */
const onRealEngines = [...range('F', 1, 17), ...['F22', 'F24', 'F25', 'F26', 'F27', 'F31', 'F32', 'F35', 'F37', 'S74']];

test('what may break in a real engine is broken in one', () => {
  const folders = ['tests/real', 'tests/faults/real', 'tests/contract/messaging'];
  const real = folders.flatMap((folder) => testFiles(root, folder)).flatMap((file) => titlesIn(root, file));
  expect(missingIds(onRealEngines, real)).toEqual([]);
});

test.each(Object.entries(ownScript))('the row %s is named where its script runs it', (id, { script, file }) => {
  expect(missingIds([id], titlesIn(root, file))).toEqual([]);
  const { scripts } = require('../../package.json') as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toContain(script);
});

test('a row that no test names is found', () => {
  expect(missingIds([...required, 'S999'], titles)).toContain('S999');
});

test('only names of tests that run count: no comment, no expectation, no skipped test, no table without a place in the title', () => {
  const source = `
    // S90 a comment
    test('S91 S92 two rows', () => { expect('S93').toBe('S93'); });
    test.skip('S94 not today', () => {});
    it.todo('S95 some day');
    describe('S96 a group', () => { test(\`S97 of \${1} kind\`, () => {}); });
    test.each([['S98 one case', 1]])('%s', () => {});
    test.each<[string, number]>([['S99 data', 1]])('a fixed title', () => {});
    log('S89');
  `;
  const ids = ['S89', 'S90', 'S91', 'S92', 'S93', 'S94', 'S95', 'S96', 'S97', 'S98', 'S99'];
  expect(missingIds(ids, titlesOf(source))).toEqual(['S89', 'S90', 'S93', 'S94', 'S95', 'S99']);
});
