import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from './store.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latchkey-journal-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const note = (id: string) => ({ id, items: [], settleAt: null });

test('a change is whole or not at all, and is there after a restart', () => {
  const store = new Store(directory);
  store.change(() => {
    store.put('sessionNote', note('a'));
    store.put('sessionNote', note('b'));
  });
  expect(() =>
    store.change(() => {
      store.put('sessionNote', note('c'));
      store.remove('sessionNote', 'a');
      throw new Error('no');
    }),
  ).toThrow('no');
  const again = new Store(directory);
  expect(again.all('sessionNote').map(({ id }) => id)).toEqual(['a', 'b']);
});

test('half a line that a dying process left is dropped, and writing goes on', () => {
  const store = new Store(directory);
  store.change(() => store.put('sessionNote', note('a')));
  appendFileSync(join(directory, 'journal.jsonl'), '[["sessionNote","b",{"id":"b"');
  const second = new Store(directory);
  second.change(() => second.put('sessionNote', note('c')));
  expect(new Store(directory).all('sessionNote').map(({ id }) => id)).toEqual(['a', 'c']);
});

test('the file stays in proportion to what it holds', () => {
  const store = new Store(directory, 20);
  for (let at = 0; at < 200; at += 1) store.change(() => store.put('sessionNote', { ...note('a'), settleAt: at }));
  expect(store.lines).toBeLessThan(30);
  expect(new Store(directory).get('sessionNote', 'a')?.settleAt).toBe(199);
});
