import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';
import { writeClock } from './mongodb-wire-clock.js';

const command = 'secantusd-py';

const launcher = resolve(__dirname, 'mongodb-wire.py');

/** The Python that the server is installed for, by the first line of its command: where `.ci/engines` puts it, then PATH. */
function findPython(): string {
  const folders = [
    resolve(__dirname, '../../.build/engines/bin'),
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  ];
  const found = folders.map((folder) => join(folder, command)).find((file) => existsSync(file));
  const python = found && /^#!(\S+)\n/.exec(readFileSync(found, 'utf8'))?.[1];
  if (python) return python;
  throw new Error(`${command} is missing: run "bash .ci/engines", or put the command of secantusdb on PATH`);
}

/**
 * A private server that speaks MongoDB's wire protocol: a process, a port and a data folder of its own, to be killed, frozen and started again.
 * It says that it stands alone, for else it hangs at every other start (P34), and syncs each commit to the disk, as `j: true` asks for.
 * What else is changed of it, `mongodb-wire.py` says.
 */
export class MongodbWire {
  readonly #folder = mkdtempSync(join(tmpdir(), 'latchkey-mongodb-'));
  readonly clockFile = join(this.#folder, 'clock');
  readonly #log: string[] = [];
  #port = 0;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();

  /** The port is known before the first start, so that somebody may wait for the server there (F17). */
  static async create(): Promise<MongodbWire> {
    const server = new MongodbWire();
    [server.#port] = (await freePorts(1)) as [number];
    server.setClock(null);
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get uri(): string {
    return `mongodb://127.0.0.1:${this.#port}`;
  }

  /** Neither killed nor ended by itself. */
  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it on the data that it had, and waits until it takes connections. */
  async start(): Promise<void> {
    const child = spawn(
      findPython(),
      [
        launcher,
        '--standalone',
        '--sync-on-commit',
        // Lets a test have it answer with an error (`configureFailPoint`).
        '--enable-test-commands',
        ...['--host', '127.0.0.1', '--port', String(this.#port)],
        ...['--storage-path', join(this.#folder, 'data'), '--cache-size', '128M', '--log-level', 'WARNING'],
      ],
      // In a folder of its own, so that no configuration file lies about there.
      {
        cwd: this.#folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, HOME: this.#folder, MONGODB_WIRE_CLOCK: this.clockFile },
      },
    );
    child.stdout.on('data', (chunk) => this.#log.push(String(chunk)));
    child.stderr.on('data', (chunk) => this.#log.push(String(chunk)));
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    let failure: Error | undefined;
    this.#exited = new Promise((done) => {
      child.once('error', (error) => {
        failure = error;
        done();
      });
      child.once('exit', (code, signal) => {
        failure = new Error(`${command} ended (${code ?? signal}):\n${this.#log.join('').slice(-2_000)}`);
        process.removeListener('exit', kill);
        done();
      });
    });
    this.#child = child;
    await eventually(
      `${command} takes connections`,
      () => {
        if (failure) throw failure;
        return takesConnections(this.#port);
      },
      30_000,
    );
  }

  /** SIGKILL: what is not on the disk is lost. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exited;
    this.#child = undefined;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** SIGSTOP: connections stay open, and nothing is answered. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /**
   * Leaves no room for what it writes: from its next write on, the system refuses every byte past the first few of a file (EFBIG, where a full disk says
   * ENOSPC; its storage engine takes both for the same). Ends with its life.
   */
  async fillDisk(): Promise<void> {
    await promisify(execFile)('prlimit', ['--pid', String(this.#child?.pid), '--fsize=4096:4096']);
  }

  /** Resolves when it has ended, killed or not. */
  get ended(): Promise<void> {
    return this.#exited;
  }

  /** From now on `$$NOW` and `$currentDate` go by this time (milliseconds since 1970), which stands still; by the system's clock when null. */
  setClock(now: number | null): void {
    writeClock(this.clockFile, now);
  }

  /** Ends it and removes its data. */
  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
