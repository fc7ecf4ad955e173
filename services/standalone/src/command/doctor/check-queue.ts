import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bindings } from '@latchkey/contracts';
import { faultsOfFile } from '@latchkey/embedded';
import { createLogger, systemClock, withinTime } from '@latchkey/kit';
import { openAmqpQueue } from '@latchkey/messaging';
import type { Examined } from './examined.js';
import { type Finding, failed, ok, reasonOf, warning } from './finding.js';

const PATIENCE = 15_000;

/** The broker answers and its exchanges and queues have the arguments that we give them (those that are missing are made, as every start does); or the queue's file is whole. */
export async function checkQueue({ amqpUrl, dataDir, production }: Examined): Promise<Finding[]> {
  if (!amqpUrl) return checkFile(join(dataDir, 'queue.db'));
  const logger = createLogger({ service: 'doctor', level: 'silent' });
  const queue = openAmqpQueue({
    url: amqpUrl,
    bindings: Object.values(bindings),
    clock: systemClock,
    logger,
    name: 'doctor',
  });
  try {
    await withinTime(
      PATIENCE,
      () => queue.start(),
      () => new Error(`no connection within ${PATIENCE / 1000} s`),
    );
    const depths = Object.entries(await queue.depths());
    const dead = depths.filter(([, depth]) => depth.dead > 0).map(([name, depth]) => `${name} (${depth.dead})`);
    return [
      ok('broker', `answers; ${depths.length} queues as expected`),
      ...(dead.length > 0
        ? [
            warning(
              'broker',
              `dead messages wait in ${dead.join(', ')}`,
              'Their service takes them over when it runs; then see dead-letters list.',
            ),
          ]
        : []),
      ...(!production && ['', 'guest'].includes(new URL(amqpUrl).username)
        ? [warning('broker', 'used by its sample account guest', 'Production needs an account of its own (S74).')]
        : []),
    ];
  } catch (error) {
    return [
      failed(
        'broker',
        reasonOf(error),
        'See that AMQP_URL is right (user, virtual host) and that RabbitMQ runs. A queue that "exists with other arguments" has to be emptied and deleted, then any start makes it anew.',
      ),
    ];
  } finally {
    await queue.stop();
  }
}

function checkFile(file: string): Finding[] {
  if (!existsSync(file)) return [warning('queue', `${file} is not there yet`, 'The first start makes it.')];
  const faults = faultsOfFile(file);
  if (faults.length > 0) return [failed('queue', `${file}: ${faults[0]}`, 'Stop, keep a copy, and restore a backup.')];
  return [ok('queue', `${file} is whole`)];
}
