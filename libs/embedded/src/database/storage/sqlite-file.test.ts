import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteFile } from './sqlite-file.js';

let folder: string;
let file: SqliteFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-sqlite-'));
  file = new SqliteFile(join(folder, 'x.db'));
  file.exec('CREATE TABLE entries (id INTEGER PRIMARY KEY, name TEXT)');
  for (const name of ['a', 'b', 'c']) file.run('INSERT INTO entries (name) VALUES (?)', name);
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the first row is that of the values given, whatever the same statement was used for before', () => {
  const sql = 'SELECT name FROM entries WHERE name >= ? ORDER BY name';
  expect(file.first(sql, 'b')).toEqual(['b']);
  expect(file.all(sql, 'a')).toEqual([['a'], ['b'], ['c']]);
  expect(file.first(sql, 'c')).toEqual(['c']);
  expect(file.first(sql, 'd')).toBeUndefined();
  expect(file.first(sql, 'a')).toEqual(['a']);
});

test('a statement that failed takes new values the next time', () => {
  const sql = "SELECT json_extract(?, '$.name')";
  expect(file.first(sql, '{"name":"a"}')).toEqual(['a']);
  expect(() => file.first(sql, '{')).toThrow(/JSON/i);
  expect(file.first(sql, '{"name":"b"}')).toEqual(['b']);
});

test('the first row of many holds no snapshot: the log can be folded back', () => {
  const other = new SqliteFile(file.path);
  expect(file.first('SELECT name FROM entries')).toEqual(['a']);
  other.run('INSERT INTO entries (name) VALUES (?)', 'd');
  expect(other.foldLog()).toBe(true);
  other.close();
});

test('a write under way has a number of its own', () => {
  expect(file.writeUnderWay).toBeUndefined();
  file.beginWrite();
  const first = file.writeUnderWay;
  expect(first).toBeDefined();
  file.exec('COMMIT');
  expect(file.writeUnderWay).toBeUndefined();
  file.beginWrite();
  expect(file.writeUnderWay).not.toBe(first);
  file.exec('ROLLBACK');
});
