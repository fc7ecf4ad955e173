import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DeadDelivery, Delivery, Outcome } from '@latchkey/messaging';
import { eventually } from '../../support/eventually';
import { openEmbeddedEngine } from './embedded-engine';
import { describeMessaging, messageOf, parse, suiteBindings } from './messaging.suite';

describeMessaging('SQLite', openEmbeddedEngine);

const done: Outcome = { kind: 'done' };
const { first } = suiteBindings;

describe('the queue on SQLite', () => {
  let engine: Awaited<ReturnType<typeof openEmbeddedEngine>>;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    engine = await openEmbeddedEngine();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await kill(child);
    await engine.dispose();
  });

  function run(task: string, ...rest: string[]): { child: ChildProcess; said: string[] } {
    const hook = join(__dirname, '../../support/ts-hook.cjs');
    const script = join(__dirname, 'queue-process.cjs');
    const child = spawn(process.execPath, ['-r', hook, script, engine.file, task, ...rest], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const said: string[] = [];
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => said.push(line));
    return { child, said };
  }

  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  test('F8 kill -9 of a publishing process loses no confirmed message', async () => {
    const { child, said } = run('publish');
    await eventually('two hundred confirmed messages', () => said.length >= 200, 20_000);
    await kill(child);
    const confirmed = said.map(Number);

    const seen = new Set<number>();
    const queue = await engine.connect();
    await queue.consume(first.queue, {
      prefetch: 20,
      onDelivery: async (delivery) => {
        seen.add(parse(delivery).payload.n);
        return done;
      },
      onDead: async () => {},
    });
    await eventually('an empty queue', async () => (await queue.depths())[first.queue]?.ready === 0, 20_000);
    expect(confirmed.filter((n) => !seen.has(n))).toEqual([]);
  }, 60_000);

  test('F36 a process wakes for what another one published, and no two handle one message', async () => {
    const consumers = [run('consume'), run('consume')];
    await eventually('both consume', () => consumers.every(({ said }) => said.includes('ready')), 20_000);
    const publisher = await engine.connect();
    await Promise.all([...Array(300).keys()].map((n) => publisher.publish(messageOf(n))));
    await eventually('all handled', () => consumers.reduce((sum, { said }) => sum + said.length, -2) >= 300, 20_000);
    await eventually('an empty queue', async () => (await publisher.depths())[first.queue]?.ready === 0);
    const handled = consumers.flatMap(({ said }) => said.filter((word) => word !== 'ready').map(Number));
    expect(handled.sort((a, b) => a - b)).toEqual([...Array(300).keys()]);
  }, 60_000);

  test('F7 a message that kills its consumer again and again dies alone; its neighbours are handled', async () => {
    const handled = new Set<number>();
    const dead: DeadDelivery[] = [];
    const publisher = await engine.connect();
    await Promise.all([...Array(20).keys()].map((n) => publisher.publish(messageOf(n))));

    for (let lives = 0; dead.length === 0 && lives < 30; lives += 1) {
      const queue = await engine.connect();
      const died = new Promise<'died'>((resolve) => {
        void queue.consume(first.queue, {
          prefetch: 10,
          onDelivery: async (delivery: Delivery) => {
            const { n } = parse(delivery).payload;
            if (n === 3) {
              void engine.crash(queue);
              resolve('died');
              return new Promise<Outcome>(() => {});
            }
            // The neighbours are still at it when number 3 takes the process down.
            await new Promise((next) => setTimeout(next, 50));
            handled.add(n);
            return done;
          },
          onDead: async (delivery) => {
            dead.push(delivery);
          },
        });
      });
      await Promise.race([died, eventually('a dead delivery', () => dead.length > 0, 30_000)]);
    }
    expect(dead.map((delivery) => parse(delivery).payload.n)).toEqual([3]);
    expect(dead[0]?.reason).toBe('its consumer died 10 times while handling it');
    const last = await engine.connect();
    await last.consume(first.queue, {
      prefetch: 10,
      onDelivery: async (delivery) => {
        handled.add(parse(delivery).payload.n);
        return done;
      },
      onDead: async () => {},
    });
    await eventually('the neighbours', () => handled.size >= 19, 20_000);
  }, 90_000);

  test('a message that is published again while it still lies there is delivered once; a dead one does not swallow its replay', async () => {
    const queue = await engine.connect();
    const message = messageOf(1);
    await queue.publish(message);
    await queue.publish(message);
    expect((await queue.depths())[first.queue]?.ready).toBe(1);

    let deliveries = 0;
    const replayed = new Promise<void>((resolve) => {
      void queue.consume(first.queue, {
        prefetch: 1,
        onDelivery: async () => {
          deliveries += 1;
          return deliveries === 1 ? { kind: 'dead', reason: 'first time' } : done;
        },
        // The person who reads the dead letters is quicker than the row's removal.
        onDead: async () => {
          await queue.redeliver(first.queue, message);
          resolve();
        },
      });
    });
    await replayed;
    await eventually('the replay', () => deliveries === 2);
  });

  test('the queue file is readable for its owner only', async () => {
    await engine.connect();
    expect(statSync(engine.file).mode & 0o777).toBe(0o600);
  });

  test('F23 a clock that jumps back does not hold up fresh messages', async () => {
    const queue = await engine.connect();
    await queue.publish(messageOf(1));
    await engine.pass(-600);
    let handled = 0;
    await queue.consume(first.queue, {
      prefetch: 1,
      onDelivery: async () => {
        handled += 1;
        return done;
      },
      onDead: async () => {},
    });
    await eventually('the delivery', () => handled === 1);
  });

  test('after stop, publishing is refused as unavailable, so that the outbox keeps the event', async () => {
    const queue = await engine.connect();
    await queue.stop();
    await expect(queue.publish(messageOf(1))).rejects.toMatchObject({ name: 'QueueUnavailableError' });
    expect(await queue.check()).toMatchObject({ status: 'degraded' });
  });
});
