import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseUnavailableError } from '../errors';
import { LogFlush } from './log-flush';
import { SqliteFile } from './sqlite-file';
import { type Flush, WriteQueue } from './write-queue';

let folder: string;
let file: SqliteFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-flush-'));
  file = new SqliteFile(join(folder, 'flush.db'));
  file.exec('CREATE TABLE entries (id INTEGER PRIMARY KEY)');
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (id: number) => () => file.run('INSERT INTO entries VALUES (?)', id).changes;
const entries = () => file.all('SELECT id FROM entries').flat();
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A disk that is as slow, and as broken, as the test says. */
class Disk implements Flush {
  readonly syncs: { done(): void; fail(error: Error): void }[] = [];
  closed = false;

  run(): Promise<void> {
    return new Promise((done, fail) => this.syncs.push({ done, fail }));
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await turn();
}

test('no write is answered before it is on the disk, a refused one neither; what is committed meanwhile shares the next flush', async () => {
  const disk = new Disk();
  const writes = new WriteQueue(file, () => {}, disk);
  const answers: string[] = [];
  const noted = (name: string, write: Promise<unknown>) =>
    write.then(
      () => answers.push(name),
      () => answers.push(`${name} refused`),
    );
  const all = [noted('first', writes.submit(insert(1))), noted('second', writes.submit(insert(1)))];
  await until(() => disk.syncs.length === 1);
  for (const id of [2, 3, 4]) {
    all.push(noted(String(id), writes.submit(insert(id))));
    await until(() => entries().includes(id));
  }
  expect(answers).toEqual([]);
  disk.syncs[0]?.done();
  await until(() => disk.syncs.length === 2);
  expect(answers).toEqual(['first', 'second refused']);
  const closing = writes.close();
  expect(disk.closed).toBe(false);
  disk.syncs[1]?.done();
  await Promise.all([...all, closing]);
  expect(answers.slice(2)).toEqual(['2', '3', '4']);
  expect(disk.syncs).toHaveLength(2);
  expect(disk.closed).toBe(true);
});

test('when the disk fails, none of the writes that the flush was for is answered with success', async () => {
  const disk = new Disk();
  const writes = new WriteQueue(file, () => {}, disk);
  const lost = [writes.submit(insert(1)), writes.submit(insert(2))].map((write) => write.catch((error) => error));
  await until(() => disk.syncs.length === 1);
  disk.syncs[0]?.fail(new DatabaseUnavailableError('the disk'));
  for (const error of await Promise.all(lost)) expect(error).toBeInstanceOf(DatabaseUnavailableError);
  const next = writes.submit(insert(3));
  await until(() => disk.syncs.length === 2);
  disk.syncs[1]?.done();
  expect(await next).toBe(1);
  await writes.close();
});

test('the log is synced as often as it is asked for', async () => {
  const flush = new LogFlush(file);
  insert(1)();
  await flush.run();
  await flush.run();
  await flush.close();
});

test('after a sync that failed only the folded log counts, since a later sync would prove nothing', async () => {
  let folds = false;
  // Nothing can be opened there.
  const broken = { path: join(folder, 'missing', 'x.db'), foldLog: () => folds };
  const flush = new LogFlush(broken);
  await expect(flush.run()).rejects.toThrow(DatabaseUnavailableError);
  await expect(flush.run()).rejects.toThrow(DatabaseUnavailableError);
  folds = true;
  await flush.run();
});

test('folding writes the log into the file; while somebody reads an older state it says that it could not', () => {
  insert(1)();
  expect(file.foldLog()).toBe(true);
  const reader = new SqliteFile(join(folder, 'flush.db'));
  try {
    reader.exec('BEGIN');
    reader.all('SELECT id FROM entries');
    insert(2)();
    expect(file.foldLog()).toBe(false);
    reader.exec('COMMIT');
    expect(file.foldLog()).toBe(true);
  } finally {
    reader.close();
  }
});
