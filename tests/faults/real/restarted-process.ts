import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { eventually } from '../../support/eventually.js';

export interface Life {
  /** On top of the process's own settings. */
  readonly settings?: Record<string, string>;
  /** Shell commands that come before it in its own shell: `ulimit -n 64`. */
  readonly under?: string;
  /** Where its output goes instead of into memory. */
  readonly outputTo?: string;
}

const PAUSE_MS = 250;

/** One of the six, started again a moment after each death, as a container engine would; nobody ever repairs anything by hand. */
export class RestartedProcess {
  /** When each of its lives ended unasked, and how, on the clock of `performance.now()`. */
  readonly ends: { readonly at: number; readonly how: string }[] = [];
  readonly #module: string;
  #settings: Record<string, string>;
  readonly #portName: string;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #next: Life[] = [];
  #stopping = true;
  #log = '';

  constructor(
    readonly name: string,
    o: { readonly module: string; readonly portName: string; readonly settings: Record<string, string> },
  ) {
    this.#module = o.module;
    this.#portName = o.portName;
    this.#settings = o.settings;
  }

  /** Where its health and metrics are. */
  get url(): string {
    return `http://127.0.0.1:${this.#settings[this.#portName]}`;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error(`${this.name} does not run`);
    return this.#child.pid;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** Everything it wrote so far, of all its lives. */
  log(): string {
    return this.#log;
  }

  /** Adds settings, for all lives to come. */
  set(settings: Record<string, string>): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  /** How its next lives shall be, one after the other; those after them are ordinary ones again. */
  arm(...next: Life[]): void {
    this.#next = next;
  }

  start(): void {
    this.#stopping = false;
    this.#spawn();
  }

  /** Ends its life; resolves at its death. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child?.kill(signal);
    await this.#exited;
  }

  /** Kills it and resolves when its next life, armed with this, is ready. */
  async relive(...next: Life[]): Promise<void> {
    this.arm(...next);
    const lives = this.ends.length;
    await this.kill();
    await this.ready(lives + 1);
  }

  /** Waits until it has ended more often than that. */
  async ended(lives: number, within = 150_000): Promise<void> {
    await eventually(`the death of ${this.name}`, () => this.ends.length > lives, within);
  }

  async ready(lives = 0, within = 150_000): Promise<void> {
    const isReady = async () =>
      this.ends.length >= lives &&
      this.running &&
      (await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
        ({ ok }) => ok,
        () => false,
      ));
    await eventually(`${this.name} is ready`, isReady, within).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.#log.slice(-3_000)}`);
    });
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.kill();
  }

  #spawn(): void {
    const { settings = {}, under, outputTo } = this.#next.shift() ?? {};
    const command = `${under === undefined ? '' : `${under} && `}exec "$0" "$1"`;
    const output = outputTo === undefined ? ('pipe' as const) : openSync(outputTo, 'a');
    const child = spawn('/bin/sh', ['-c', command, process.execPath, this.#module], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...this.#settings, ...settings },
      // By the channel it notices that this process has died, and ends.
      stdio: ['ignore', output, output, 'ipc'],
    });
    if (typeof output === 'number') closeSync(output);
    const collect = (chunk: Buffer) => {
      this.#log += chunk;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    this.#child = child;
    this.#exited = new Promise((done) => {
      child.once('exit', (code, signal) => {
        this.#child = undefined;
        if (!this.#stopping) {
          this.ends.push({ at: performance.now(), how: String(signal ?? code) });
          setTimeout(() => !this.#stopping && this.#spawn(), PAUSE_MS);
        }
        done();
      });
    });
  }
}
