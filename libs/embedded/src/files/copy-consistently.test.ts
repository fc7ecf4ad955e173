import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SqliteFile } from '../database/storage/sqlite-file.js';
import { copyConsistently } from './copy-consistently.js';
import { faultsOfFile, isInUse } from './inspect-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-copy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const at = (name: string) => join(folder, name);

/** Writes 1 into one file after the other, then 2, and so on for ever. */
const writer = `
  const { workerData, parentPort } = require('node:worker_threads');
  const Database = require(workerData.libsql);
  const files = workerData.files.map((file) => new Database(file));
  for (const file of files) file.exec('PRAGMA busy_timeout = 5000; PRAGMA synchronous = OFF');
  for (let n = 1; ; n += 1) {
    for (const file of files) file.exec('UPDATE progress SET n = ' + n);
    if (n === 1) parentPort.postMessage('begun');
  }
`;

test('the copies of files that somebody writes to show one instant', async () => {
  const names = Array.from({ length: 16 }, (_, index) => `${index}.db`);
  for (const name of names) {
    const file = new SqliteFile(at(name));
    file.exec('CREATE TABLE progress (n INTEGER); INSERT INTO progress VALUES (0)');
    file.close();
  }
  const workerData = { files: names.map(at), libsql: require.resolve('libsql') };
  const worker = new Worker(writer, { eval: true, workerData });
  try {
    await new Promise((begun, fail) => worker.once('message', begun).once('error', fail));
    const seen = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      const copies = names.map((name) => at(`${round}-${name}`));
      await copyConsistently(names.map((name, index) => ({ from: at(name), to: copies[index] as string })));
      const numbers = copies.map((copy) => {
        const file = new SqliteFile(copy);
        const n = Number(file.all('SELECT n FROM progress')[0]?.[0]);
        file.close();
        return n;
      });
      // At any instant the writer is somewhere on its way from the first file to the last.
      const first = numbers[0] as number;
      const from = numbers.findIndex((n) => n !== first);
      const expected = numbers.map((_, index) => (from === -1 || index < from ? first : first - 1));
      expect(numbers).toEqual(expected);
      seen.add(first);
    }
    // It did go on while it was copied.
    expect(seen.size).toBeGreaterThan(1);
  } finally {
    await worker.terminate();
  }
});

test('a copy has everything: rows with their numbers, indexes, what AUTOINCREMENT remembers, the format', async () => {
  const file = new SqliteFile(at('whole.db'));
  file.exec(`
    CREATE TABLE "documents:a:b" (row INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, document TEXT NOT NULL);
    CREATE TABLE "index:a""b" (key BLOB, row INTEGER, PRIMARY KEY (key, row)) WITHOUT ROWID;
    CREATE TABLE messages (seq INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT, dead INTEGER);
    CREATE UNIQUE INDEX live ON messages (queue) WHERE dead = 0;
    INSERT INTO "documents:a:b" VALUES (7, x'00ff', '{"ä":1}');
    INSERT INTO "index:a""b" VALUES (x'01', 7);
    INSERT INTO messages VALUES (41, 'q', 0), (42, 'r', 1);
    DELETE FROM messages WHERE seq = 42;
    PRAGMA user_version = 1;
  `);
  await copyConsistently([{ from: at('whole.db'), to: at('copy.db') }]);
  expect(faultsOfFile(at('copy.db'))).toEqual([]);
  const copy = new SqliteFile(at('copy.db'));
  const schema = 'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name';
  expect(copy.all(schema)).toEqual(file.all(schema));
  for (const table of ['"documents:a:b"', '"index:a""b"', 'messages', 'sqlite_sequence'])
    expect([table, copy.all(`SELECT * FROM ${table}`)]).toEqual([table, file.all(`SELECT * FROM ${table}`)]);
  expect(copy.all('PRAGMA user_version')).toEqual([[1]]);
  expect(() => copy.exec("INSERT INTO messages (queue, dead) VALUES ('q', 0)")).toThrow(/UNIQUE/);
  copy.close();
  file.close();
});

test('a file that is open elsewhere is in use', () => {
  const file = new SqliteFile(at('used.db'));
  file.exec('CREATE TABLE t (x INTEGER)');
  expect(isInUse(at('used.db'))).toBe(true);
});
