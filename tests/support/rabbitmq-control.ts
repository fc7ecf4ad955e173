import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What it takes to talk to a broker that runs somewhere on this machine; plain data, so that another process can be given it. */
export interface BrokerAddress {
  readonly port: number;
  readonly folder: string;
  /** Of every command of RabbitMQ. */
  readonly environment: NodeJS.ProcessEnv;
}

/** A running broker as tests use and command it, whoever has started it. */
export class RabbitControl {
  constructor(readonly address: BrokerAddress) {}

  get url(): string {
    return this.urlOf('/');
  }

  urlOf(vhost: string): string {
    return `amqp://guest:guest@127.0.0.1:${this.address.port}/${encodeURIComponent(vhost)}`;
  }

  get port(): number {
    return this.address.port;
  }

  /** `rabbitmqctl …`; gives what it says. */
  async ctl(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(program('rabbitmqctl'), ['--quiet', ...words], {
      env: this.address.environment,
      cwd: this.address.folder,
    });
    return stdout;
  }

  /** Evaluates Erlang on the broker. */
  async evaluate(expression: string): Promise<string> {
    return this.ctl('eval', expression);
  }

  /** An empty virtual host of its own. */
  async freshHost(): Promise<{ readonly name: string; readonly url: string; remove(): Promise<void> }> {
    const name = `test-${randomBytes(6).toString('hex')}`;
    // Both in one call, since each starts an Erlang machine of its own.
    await this.evaluate(`
      ok = rabbit_vhost:add(<<"${name}">>, <<"test">>),
      ok = rabbit_auth_backend_internal:set_permissions(<<"guest">>, <<"${name}">>, <<".*">>, <<".*">>, <<".*">>, <<"test">>).`);
    const remove = async () => void (await this.ctl('delete_vhost', name));
    return { name, url: this.urlOf(name), remove };
  }

  log(): string {
    const file = join(this.address.folder, 'log', `${this.address.environment.RABBITMQ_NODENAME}.log`);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }
}

/** Debian's commands in the search path change to another user and folder; the ones beside the server do not. */
export function program(name: string): string {
  const places = ['/usr/lib/rabbitmq/bin', ...(process.env.PATH ?? '').split(':')];
  const found = places.map((place) => join(place, name)).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`${name} is not installed: these tests need RabbitMQ (apt-get install rabbitmq-server)`);
  return found;
}
