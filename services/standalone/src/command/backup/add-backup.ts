import { randomUUID } from 'node:crypto';
import { loadConfig, settings } from '@latchkey/kit';
import type { Command } from 'commander';
import { makeAppSecret } from '../../secrets.js';
import { recordOperation } from '../operations-log.js';
import { CommandError, type Terminal } from '../terminal.js';
import { databasesIn, takeSnapshot } from './take-snapshot.js';
import { writeArchive } from './write-archive.js';

const picked = { dataDir: settings.DATA_DIR, mongodbUri: settings.MONGODB_URI, amqpUrl: settings.AMQP_URL };

/** `backup`. */
export function addBackup(parent: Command, terminal: Terminal): void {
  parent
    .command('backup')
    .description(
      'write a standalone installation, running or not, into one file: databases, queue, secrets, mailbox, simulator',
    )
    .argument('<file>', 'to write; it holds every secret of the installation, so keep it like one')
    .action(async (file: string) => {
      const { dataDir, mongodbUri, amqpUrl } = loadConfig(picked, terminal.environment);
      if (mongodbUri || amqpUrl)
        throw new CommandError(
          'This installation uses MongoDB or RabbitMQ, which have backups of their own: backup is for the embedded parts.',
        );
      if (databasesIn(dataDir).length === 0) throw new CommandError(`There is no installation in ${dataDir}.`);
      const manifest = await writeArchive(
        file,
        {
          kind: 'backup',
          id: randomUUID(),
          created_at: new Date(terminal.clock.now()).toISOString(),
          secrets_elsewhere: secretsElsewhere(terminal),
        },
        (data) => takeSnapshot(dataDir, data),
      );
      recordOperation(terminal, dataDir, 'backup', { file });
      terminal.out(`Wrote ${manifest.files.length} files of ${dataDir} into ${file} (mode 0600).\n`);
      terminal.out(
        'It holds the secrets, the pepper and the password hashes: keep it where nobody else can read it.\n',
      );
      if (manifest.secrets_elsewhere.length > 0)
        terminal.out(
          `Not in it, since the environment gives them: ${manifest.secrets_elsewhere.join(', ')}. Keep them as well.\n`,
        );
    });
}

function secretsElsewhere({ environment }: Terminal): string[] {
  return Object.keys(makeAppSecret).filter((name) => environment[name]?.trim() || environment[`${name}_FILE`]?.trim());
}
