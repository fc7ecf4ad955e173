import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One object's new value; `null` removes it. */
export type Entry = readonly [kind: string, id: string, value: unknown];

/**
 * An append-only file of JSON lines; one line is one change, whole or not at all. What `append` returned from has reached the disk. A last line that a
 * dying process left unfinished is dropped.
 */
export class Journal {
  readonly #path: string;
  #file: number;
  #lines = 0;

  private constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'a', 0o600);
  }

  static open(directory: string, apply: (entry: Entry) => void): Journal {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, 'journal.jsonl');
    const lines = readLines(path);
    for (const line of lines) for (const entry of line) apply(entry);
    const journal = new Journal(path);
    journal.#lines = lines.length;
    return journal;
  }

  get lines(): number {
    return this.#lines;
  }

  append(entries: readonly Entry[]): void {
    writeAll(this.#file, `${JSON.stringify(entries)}\n`);
    fsyncSync(this.#file);
    this.#lines += 1;
  }

  /** Writes the file anew with only these entries, and puts it in the old one's place. */
  compact(entries: Iterable<Entry>): void {
    const draft = `${this.#path}.draft`;
    const file = openSync(draft, 'w', 0o600);
    let lines = 0;
    for (const entry of entries) {
      writeAll(file, `${JSON.stringify([entry])}\n`);
      lines += 1;
    }
    fsyncSync(file);
    renameSync(draft, this.#path);
    syncDirectory(dirname(this.#path));
    closeSync(this.#file);
    this.#file = file;
    this.#lines = lines;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function readLines(path: string): Entry[][] {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const end = content.lastIndexOf('\n');
  const whole = content.slice(0, end + 1);
  // Appending after half a line would spoil the next one.
  if (whole.length < content.length) rewrite(path, whole);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry[]);
}

function rewrite(path: string, content: string): void {
  const file = openSync(`${path}.draft`, 'w', 0o600);
  writeAll(file, content);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.draft`, path);
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
