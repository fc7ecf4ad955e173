import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedQueue, openEmbeddedQueue } from '@latchkey/embedded';
import { createLogger } from '@latchkey/kit';
import { type Engine, suiteBindings } from './messaging.suite';

/** The queue on SQLite in a directory of its own, with a clock that `pass` turns and short leases. */
export async function openEmbeddedEngine(): Promise<Engine & { readonly file: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-queue-'));
  const file = join(directory, 'queue.db');
  const opened = new Set<EmbeddedQueue>();
  let turned = 0;
  const clock = { now: () => Date.now() + turned };

  async function connect(): Promise<EmbeddedQueue> {
    const logger = createLogger({ service: 'suite', level: 'silent' });
    const queue = openEmbeddedQueue({ file, bindings: suiteBindings, clock, logger, pollMs: 20, leaseMs: 1_000 });
    await queue.start();
    opened.add(queue);
    return queue;
  }

  return {
    file,
    connect,
    async crash(queue) {
      (queue as EmbeddedQueue).abandon();
    },
    async putRaw(queue, body) {
      for (const each of opened) {
        await each.putRaw(queue, body);
        return;
      }
    },
    async pass(seconds) {
      turned += seconds * 1000;
    },
    async dispose() {
      await Promise.all([...opened].map((queue) => queue.stop()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
