import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Characters waiting for a slow destination, at most: past it new lines are dropped, since a log must not eat the memory. */
const BACKLOG = 16 * 1024 * 1024;
const RETRY_MILLISECONDS = 50;
/** How often a last synchronous write is tried again while a pipe is full. */
const LAST_TRIES = 10;

/**
 * Writes lines to a file descriptor without waiting, all that have gathered at once. A full disk or a closed pipe loses lines and does nothing else (F22);
 * pino's own destination repeats a failed synchronous write for ever, which would stop the process at its first fatal line.
 */
export class LogDestination implements DestinationStream {
  readonly #fd: number;
  #waiting: string[] = [];
  #size = 0;
  #underWay: Buffer | undefined;
  #cutLine = false;
  #idle: (() => void)[] = [];

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    if (this.#size + line.length > BACKLOG) return;
    this.#waiting.push(line);
    this.#size += line.length;
    if (this.#underWay === undefined) this.#next();
  }

  /** Calls back once everything is written, or lost. */
  flush(done: () => void): void {
    if (this.#underWay === undefined) done();
    else this.#idle.push(done);
  }

  /** For a process that is about to end: what waits is written now, as far as that can be done. */
  flushSync(): void {
    let rest = this.#take();
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; ) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (error) {
        if (!isFull(error)) return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MILLISECONDS);
      }
    }
  }

  #take(): Buffer {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#size = 0;
    const chunk = Buffer.from(this.#cutLine && text !== '' ? `\n${text}` : text);
    this.#cutLine &&= chunk.length === 0;
    return chunk;
  }

  #next(): void {
    const chunk = this.#take();
    if (chunk.length > 0) {
      this.#send(chunk);
      return;
    }
    this.#underWay = undefined;
    for (const done of this.#idle.splice(0)) done();
  }

  #send(chunk: Buffer): void {
    this.#underWay = chunk;
    write(this.#fd, chunk, (error, written) => {
      if (error && isFull(error)) setTimeout(() => this.#send(chunk), RETRY_MILLISECONDS);
      else if (error) this.#lose();
      else if (written < chunk.length) this.#send(chunk.subarray(written));
      else this.#next();
    });
  }

  /** The next line must not continue one that was cut in the middle. */
  #lose(): void {
    this.#cutLine = true;
    this.#next();
  }
}

const isFull = (error: unknown) => ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');

let output: LogDestination | undefined;

/** Standard output, shared by all loggers of the process and flushed when it ends. */
export function standardOutput(): LogDestination {
  if (output === undefined) {
    const opened = new LogDestination(1);
    process.on('exit', () => opened.flushSync());
    output = opened;
  }
  return output;
}
