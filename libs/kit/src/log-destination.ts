import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Characters waiting for a slow destination, at most: past it new lines are dropped, since a log must not eat the memory. */
const BACKLOG = 16 * 1024 * 1024;
const RETRY_MILLISECONDS = 50;
/** Under load lines gather for so long, since a write for every few of them takes more of the processor than the lines themselves. */
const GATHER_MILLISECONDS = 10;
/** How often a last synchronous write is tried again while a pipe is full. */
const LAST_TRIES = 10;

/**
 * Writes lines to a file descriptor without waiting: a line that comes alone at once, and all that have gathered since the last write together. A full disk or a closed pipe loses lines and does nothing else (F22);
 * pino's own destination repeats a failed synchronous write for ever, which would stop the process at its first fatal line.
 */
export class LogDestination implements DestinationStream {
  readonly #fd: number;
  #waiting: string[] = [];
  #size = 0;
  #underWay: Buffer | undefined;
  #cutLine = false;
  #gathering: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    if (this.#size + line.length > BACKLOG) return;
    this.#waiting.push(line);
    this.#size += line.length;
    if (this.#underWay === undefined && this.#gathering === undefined) this.#next();
  }

  /** Calls back once everything is written, or lost. */
  flush(done: () => void): void {
    this.#idle.push(done);
    if (this.#underWay === undefined) this.#next();
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
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const chunk = this.#take();
    if (chunk.length > 0) {
      this.#send(chunk);
      return;
    }
    for (const done of this.#idle.splice(0)) done();
  }

  #send(chunk: Buffer): void {
    this.#underWay = chunk;
    write(this.#fd, chunk, (error, written) => {
      if (error && isFull(error)) setTimeout(() => this.#send(chunk), RETRY_MILLISECONDS);
      else if (error) this.#lose();
      else if (written < chunk.length) this.#send(chunk.subarray(written));
      else this.#written();
    });
  }

  /** Whoever waits for the end of it is not kept waiting. The timer holds nothing up: a process that ends writes the rest. */
  #written(): void {
    this.#underWay = undefined;
    if (this.#idle.length > 0) this.#next();
    else this.#gathering = setTimeout(() => this.#next(), GATHER_MILLISECONDS).unref();
  }

  /** The next line must not continue one that was cut in the middle. */
  #lose(): void {
    this.#cutLine = true;
    this.#written();
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
