import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogDestination } from './log-destination';

let folder: string;
let file: string;
let fd: number;
let destination: LogDestination;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-log-'));
  file = join(folder, 'log');
  fd = openSync(file, 'a');
  destination = new LogDestination(fd);
});
afterEach(() => {
  jest.restoreAllMocks();
  closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});

const flushed = () => new Promise<void>((done) => destination.flush(done));
const written = () => readFileSync(file, 'utf8');
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`);

test('a line that comes alone is written without waiting for others, and those behind it gather for one write', async () => {
  const writes = jest.spyOn(fs, 'write');
  destination.write('line 0\n');
  expect(writes).toHaveBeenCalledTimes(1);
  for (const line of lines(1, 1_000)) {
    destination.write(line);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await flushed();
  expect(written()).toBe(lines(0, 1_000).join(''));
  expect(writes.mock.calls.length).toBeLessThan(200);
});

test('whoever waits for the end of it does not wait for more to gather', async () => {
  destination.write('line 0\n');
  destination.write('line 1\n');
  await flushed();
  expect(written()).toBe('line 0\nline 1\n');
  await flushed();
});

test('what still gathers when the process ends is written then', async () => {
  destination.write('line 0\n');
  await flushed();
  destination.write('line 1\n');
  destination.write('line 2\n');
  destination.flushSync();
  await flushed();
  expect(written().split('\n').filter(Boolean).sort()).toEqual(['line 0', 'line 1', 'line 2']);
});
