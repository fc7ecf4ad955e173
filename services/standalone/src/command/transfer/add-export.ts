import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInUse } from '@latchkey/embedded';
import { loadConfig, settings } from '@latchkey/kit';
import type { Command } from 'commander';
import { databasesIn, standIns, takeSnapshot } from '../backup/take-snapshot.js';
import { writeArchive } from '../backup/write-archive.js';
import { recordOperation } from '../operations-log.js';
import { CommandError, type Terminal } from '../terminal.js';
import { givenSettings } from './given-settings.js';
import { databases, writeDocuments, writeMessages } from './write-documents.js';

const picked = { dataDir: settings.DATA_DIR, mongodbUri: settings.MONGODB_URI, amqpUrl: settings.AMQP_URL };

/** `export`. */
export function addExport(parent: Command, terminal: Terminal): void {
  parent
    .command('export')
    .description('write a stopped standalone installation into one file that import carries to MongoDB and RabbitMQ')
    .argument('<file>', 'to write; it holds every secret of the installation, so keep it like one')
    .option('--running', 'of one that runs, for a rehearsal: what happens after this moment is not in it')
    .action(async (file: string, { running = false }: { running?: boolean }) => {
      const { dataDir, mongodbUri, amqpUrl } = loadConfig(picked, terminal.environment);
      if (mongodbUri || amqpUrl) throw new CommandError('This installation uses MongoDB or RabbitMQ already.');
      const there = databasesIn(dataDir);
      if (!databases.every((name) => there.includes(`${name}.db`)))
        throw new CommandError(`There is no installation in ${dataDir}.`);
      if (!running && there.some((name) => isInUse(join(dataDir, name))))
        throw new CommandError(
          `A process is running on ${dataDir}. Stop it, or what it does from now on stays behind (--running exports all the same, for a rehearsal).`,
        );
      const counts = { documents: 0, messages: 0 };
      await writeArchive(
        file,
        {
          kind: 'export',
          id: randomUUID(),
          created_at: new Date(terminal.clock.now()).toISOString(),
          secrets_elsewhere: [],
        },
        async (data, scratch) => {
          await takeSnapshot(dataDir, join(scratch, 'snapshot'));
          const snapshot = join(scratch, 'snapshot');
          counts.documents = await writeDocuments(snapshot, join(data, 'databases'));
          counts.messages = writeMessages(snapshot, join(data, 'queue.jsonl'));
          const given = givenSettings(terminal.environment, dataDir);
          writeFileSync(join(data, 'settings.json'), JSON.stringify(given, null, 2), { mode: 0o600 });
          for (const name of standIns(snapshot)) renameSync(join(snapshot, name), join(data, name));
        },
      );
      recordOperation(terminal, dataDir, 'export', { file, ...counts });
      terminal.out(
        `Wrote ${counts.documents} documents and ${counts.messages} waiting messages into ${file} (mode 0600).\n`,
      );
      terminal.out('It holds the secrets, the pepper and the password hashes: delete it once it is imported.\n');
    });
}
