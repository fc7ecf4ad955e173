import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';
import { type BrokerAddress, program, RabbitControl } from './rabbitmq-control.js';

const START_LIMIT_MS = 90_000;

/**
 * A RabbitMQ node of its own: name, ports, data, cookie and port mapper in one temporary folder, so that no other broker of the machine is touched. It can
 * be stopped, killed, frozen and told things. A test that needs one fails where RabbitMQ is not installed (`apt-get install rabbitmq-server`).
 */
export class RabbitBroker extends RabbitControl {
  readonly #mapperPort: number;
  #mapper: ChildProcess | undefined;
  #server: ChildProcess | undefined;

  private constructor([port, distribution, mapper, ctl]: readonly number[]) {
    super(layOut({ port, distribution, mapper, ctl } as Ports));
    this.#mapperPort = mapper as number;
  }

  /** Starts a fresh broker. */
  static async start(): Promise<RabbitBroker> {
    const broker = new RabbitBroker(await freePorts(4));
    try {
      await broker.start();
      // It greets a little before it can be told things.
      await broker.ctl('await_startup');
    } catch (error) {
      await broker.dispose();
      throw error;
    }
    return broker;
  }

  /** The process id of the Erlang machine (beam.smp). */
  get pid(): number {
    if (this.#server?.pid === undefined) throw new Error('the broker does not run');
    return this.#server.pid;
  }

  /** Starts it on the data it has; resolves when it greets on its port. */
  async start(): Promise<void> {
    this.#mapper ??= spawn(program('epmd'), ['-port', String(this.#mapperPort), '-address', '127.0.0.1'], {
      stdio: 'ignore',
    });
    const server = spawn(program('rabbitmq-server'), [], {
      env: this.address.environment,
      cwd: this.address.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (text) => {
        output = (output + text).slice(-4_000);
      });
    }
    this.#server = server;
    // Whoever forgets to dispose of it, or dies of an error first.
    const kill = () => {
      server.kill('SIGKILL');
      this.#mapper?.kill('SIGKILL');
    };
    process.once('exit', kill);
    server.once('exit', () => process.removeListener('exit', kill));
    const gone = new Promise<never>((_resolve, reject) => {
      server.once('error', reject);
      server.once('exit', () => reject(new Error(`RabbitMQ went away: ${output}`)));
    });
    gone.catch(() => undefined);
    await Promise.race([gone, eventually('a greeting of RabbitMQ', () => greets(this.port), START_LIMIT_MS)]);
  }

  /** Stops it in good order. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** `kill -9` of the Erlang machine. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** The machine stands still: sockets stay open, nothing answers. */
  freeze(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /**
   * Makes what was declared survive a later `kill()`: RabbitMQ 3.10 writes its list of quorum queues only minutes later or when it stops in good order (P33).
   * Declare the topology first.
   */
  async settle(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async dispose(): Promise<void> {
    await this.kill();
    this.#mapper?.kill('SIGKILL');
    this.#mapper = undefined;
    rmSync(this.address.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    server.kill('SIGCONT');
    await gone;
    // What Erlang had spawned may hold the other ends for ever, and with them the process that runs the tests.
    server.stdout?.destroy();
    server.stderr?.destroy();
  }
}

type Ports = Record<'port' | 'distribution' | 'mapper' | 'ctl', number>;

/** The folder of a node with everything in it that it would look for elsewhere. */
function layOut({ port, distribution, mapper, ctl }: Ports): BrokerAddress {
  const root = mkdtempSync(join(tmpdir(), 'latchkey-rabbit-'));
  const file = (name: string, content: string, mode = 0o600) => {
    writeFileSync(join(root, name), content, { mode });
    return join(root, name);
  };
  const folder = (name: string) => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  file('.erlang.cookie', `cookie${port}${process.pid}`, 0o400);
  const environment = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: root,
    ERL_EPMD_PORT: String(mapper),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `latchkey${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_CTL_DIST_PORT_MIN: String(ctl),
    RABBITMQ_CTL_DIST_PORT_MAX: String(ctl + 20),
    RABBITMQ_MNESIA_BASE: folder('data'),
    RABBITMQ_LOG_BASE: folder('log'),
    RABBITMQ_PID_FILE: join(root, 'server.pid'),
    // As under systemd: no shell stays between us and the Erlang machine, so that a signal reaches it.
    NOTIFY_SOCKET: join(root, 'nobody-listens'),
    RABBITMQ_CONF_ENV_FILE: file('environment.conf', ''),
    RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins', '[].\n'),
    // The machine that runs the tests may be nearly full; alarms are set by the tests that are about them.
    RABBITMQ_CONFIG_FILE: file(
      'rabbitmq.conf',
      'disk_free_limit.absolute = 1MB\nvm_memory_high_watermark.relative = 0.9\n',
    ),
  };
  return { port, folder: root, environment };
}

/** Whether an AMQP server answers the protocol header with its first frame. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from('AMQP\0\0\u0009\u0001', 'latin1')));
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.once('data', (data) => end(data[0] === 1));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
