import { readFileSync } from 'node:fs';
import { bindings, type Message } from '@latchkey/contracts';
import { type Clock, createLogger, withinTime } from '@latchkey/kit';
import { decodeEnvelope, openAmqpQueue } from '@latchkey/messaging';
import { CommandError } from '../terminal.js';

/** Milliseconds to wait for the broker. */
const PATIENCE = 60_000;

/** Puts every message of the file into its queue on the broker, durably. Attempts begin anew; a message that is there twice is handled once. Gives how many, and how many were no messages at all. */
export async function importMessages(o: {
  url: string;
  file: string;
  clock: Clock;
  /** Messages may be there already: an import that was broken off goes on. */
  mayHold: boolean;
}): Promise<{ imported: number; unreadable: number }> {
  const logger = createLogger({ service: 'import', level: 'silent' });
  const queue = openAmqpQueue({
    url: o.url,
    bindings: Object.values(bindings),
    clock: o.clock,
    logger,
    name: 'import',
  });
  await withinTime(
    PATIENCE,
    () => queue.start(),
    () => new CommandError('RabbitMQ does not answer at AMQP_URL. Nothing is lost: give the same command again.'),
  ).catch(async (error: unknown) => {
    await queue.stop();
    throw error;
  });
  try {
    const waiting = Object.entries(await queue.depths()).filter(
      ([, { ready, delayed, dead }]) => ready + delayed + dead > 0,
    );
    if (waiting.length > 0 && !o.mayHold)
      throw new CommandError(
        `Messages wait already in ${waiting.map(([name]) => name).join(', ')}: use a virtual host of its own, or --force.`,
      );
    const lines = readFileSync(o.file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    let unreadable = 0;
    for (const line of lines) {
      const { queue: name, body } = JSON.parse(line) as { queue: string; body: string };
      const message = readable(Buffer.from(body, 'base64'));
      if (message === undefined) unreadable += 1;
      else await queue.redeliver(name, message);
    }
    return { imported: lines.length - unreadable, unreadable };
  } finally {
    await queue.stop();
  }
}

/** What no publisher of ours made (and no consumer could handle) is not carried over. */
function readable(body: Buffer): Message | undefined {
  try {
    return decodeEnvelope(body);
  } catch {
    return undefined;
  }
}
