import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineEvent, type Message } from '@latchkey/contracts';
import { createLogger } from '@latchkey/kit';
import { openTestDatabase } from '@latchkey/tests';
import mongoose, { type Connection, type Model } from 'mongoose';
import { z } from 'zod';
import type { AggregateFields } from '../aggregate.js';
import { aggregateFields, indexAggregate } from '../aggregate-fields.js';
import { createOutbox, type OutboxOptions } from '../outbox/create-outbox.js';

export interface Account extends AggregateFields<number> {
  balance: number;
  name?: string;
  deletedAt?: Date | null;
}

export const deposited = defineEvent('test.deposited.v1', z.object({ amount: z.int() }));
export const silentLogger = createLogger({ service: 'test', level: 'silent' });

export interface Bench {
  readonly connection: Connection;
  readonly accounts: Model<Account>;
  readonly clock: { now(): number; turn(ms: number): void };
  /** An outbox as one process would have it; with `die()` everything it asks of the database stays unanswered, as after kill -9. */
  process(options: Pick<OutboxOptions, 'publish'> & Partial<OutboxOptions>): Process;
  close(): Promise<void>;
}

export interface Process extends ReturnType<typeof createOutbox> {
  readonly accounts: Model<Account>;
  die(): void;
  /** What a test leaves behind goes: a live one stops, a dead one only stops its timers. */
  end(): Promise<void>;
}

/** A database in a directory of its own. The clock stands still and only `turn` moves it; the database goes by it. */
export async function openBench(): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-outbox-'));
  let now = Date.parse('2026-01-01T00:00:00Z');
  const clock = {
    now: () => now,
    turn(ms: number) {
      now += ms;
    },
  };
  const connection = await openTestDatabase({ file: join(directory, 'test.db'), clock });
  const schema = new mongoose.Schema<Account>(
    { _id: Number, balance: { type: Number, default: 0 }, name: String, deletedAt: Date, ...aggregateFields } as never,
    { versionKey: false },
  );
  indexAggregate(schema as never);
  const accounts = connection.model<Account>('Account', schema as never, 'accounts');
  await accounts.init();
  const running: Process[] = [];

  return {
    connection,
    accounts,
    clock,
    process(options) {
      const { model, die } = mortal(accounts);
      const outbox = createOutbox({
        models: () => [model],
        clock,
        logger: silentLogger,
        sweepMs: 50,
        ...options,
        publish: options.publish,
      });
      let dead = false;
      const started: Process = {
        ...outbox,
        accounts: model,
        die() {
          dead = true;
          die();
        },
        async end() {
          const stopped = outbox.relay.stop();
          if (!dead) await stopped;
        },
      };
      running.push(started);
      return started;
    },
    async close() {
      await Promise.all(running.map((each) => each.end()));
      await connection.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Promise and query in one, of which nothing is ever heard again. */
const silence: unknown = new Proxy(() => {}, {
  get: (_target, property) => (property === 'then' ? () => {} : () => silence),
});

function mortal(model: Model<Account>): { model: Model<Account>; die: () => void } {
  let dead = false;
  const mortalModel = new Proxy(model, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (dead && property === 'collection') return silence;
      if (!dead || typeof value !== 'function') return typeof value === 'function' ? value.bind(target) : value;
      return () => silence;
    },
  });
  return {
    model: mortalModel,
    die() {
      dead = true;
    },
  };
}

/** A broker that keeps what it confirmed, and does as the test says before that. */
export class FakeBroker {
  readonly published: Message[] = [];
  before: (message: Message) => Promise<void> | void = () => {};

  readonly publish = async (message: Message): Promise<void> => {
    await this.before(message);
    this.published.push(message);
  };

  get ids(): string[] {
    return this.published.map(({ id }) => id);
  }
}
