import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

const hook = join(__dirname, '../../support/ts-hook.cjs');

/** A folder for database files, removed after the tests of the file that calls this. */
export function databaseFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-persistence-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, `${name}.sqlite`);
}

export interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  /** Resolves with the next line it prints; rejects when it ends before. */
  nextLine(): Promise<string>;
  /** All lines printed so far. */
  readonly lines: string[];
  readonly ended: Promise<void>;
}

/** Starts one of the scripts in `children/` as a process of its own. */
export function startChild(script: string, ...values: string[]): Child {
  const child = spawn(process.execPath, ['-r', hook, join(__dirname, 'children', script), ...values], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let read = 0;
  let wake: () => void = () => undefined;
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    wake();
  });
  let over = false;
  const ended = new Promise<void>((resolve) => {
    reader.on('close', () => {
      over = true;
      wake();
      resolve();
    });
  });
  const nextLine = async (): Promise<string> => {
    while (read >= lines.length) {
      if (over) throw new Error(`${script} ended without another line`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return lines[read++] as string;
  };
  return { process: child, nextLine, lines, ended };
}
