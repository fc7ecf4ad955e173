import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How long and how often rows measure, and what has to be ended after them. */
export class Bench {
  readonly #endings: (() => unknown)[] = [];

  constructor(readonly brief: boolean) {}

  /** How often ours is measured; the floor once more. */
  get rounds(): number {
    return this.brief ? 1 : 3;
  }

  /** Of one measurement. */
  seconds(full: number): number {
    return this.brief ? Math.max(0.5, full / 8) : full;
  }

  count(full: number): number {
    return this.brief ? Math.ceil(full / 20) : full;
  }

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));
    this.atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return folder;
  }

  /** Ended when the row is over, the last one first, whether or not it went well. */
  atEnd(end: () => unknown): void {
    this.#endings.push(end);
  }

  async end(): Promise<void> {
    for (const end of this.#endings.splice(0).reverse()) await end();
  }
}
