import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig, needed, settings } from '@latchkey/kit';
import type { Command } from 'commander';
import mongoose from 'mongoose';
import { readArchive } from '../backup/read-archive.js';
import { standIns } from '../backup/take-snapshot.js';
import { recordOperation } from '../operations-log.js';
import { CommandError, type Terminal } from '../terminal.js';
import { environmentFile } from './given-settings.js';
import { claimDatabases, type Import, importDocuments, markDone } from './import-documents.js';
import { importMessages } from './import-messages.js';
import { writeSettings } from './write-settings.js';

const picked = { uri: needed(settings.MONGODB_URI), amqpUrl: needed(settings.AMQP_URL) };

const help = `
MONGODB_URI and AMQP_URL name the new engines, with accounts that may write to every service's database and queue. No process of Latchkey may run on them yet.
An import that broke off is given again as it was and goes on. The settings folder gets the secrets, the environment file latchkey.env, and what stood in for mail server and payment
provider; npm run start:services finds all of it with DATA_DIR set to that folder.`;

interface Options {
  readonly settings: string;
  readonly force?: boolean;
}

/** `import`. */
export function addImport(parent: Command, terminal: Terminal): void {
  parent
    .command('import')
    .description('carry what export wrote to the MongoDB and the RabbitMQ that MONGODB_URI and AMQP_URL name')
    .argument('<file>', 'that export wrote')
    .requiredOption('--settings <folder>', 'where to write the secrets and settings that the processes need')
    .option('--force', 'drop what is in the databases, and write into a settings folder that is not empty')
    .addHelpText('after', help)
    .action(async (file: string, options: Options) => {
      const { uri, amqpUrl } = loadConfig(picked, terminal.environment);
      const staging = mkdtempSync(join(tmpdir(), 'latchkey-import-'));
      const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 15_000 });
      try {
        const { id } = await readArchive(file, 'export', staging);
        const data = join(staging, 'data');
        await client.connect().catch((error: Error) => {
          throw new CommandError(`MongoDB cannot be reached: ${error.message}`);
        });
        await importInto({ client, uri, id }, { amqpUrl, data, options, terminal });
      } finally {
        await client.close();
        rmSync(staging, { recursive: true, force: true });
      }
    });
}

async function importInto(
  into: Import,
  o: { amqpUrl: string; data: string; options: Options; terminal: Terminal },
): Promise<void> {
  const { data, terminal, options } = o;
  const folder = resolve(options.settings);
  const force = options.force === true;
  const { resumed } = await claimDatabases(into, force);
  if (!resumed && !force && existsSync(folder) && readdirSync(folder).length > 0)
    throw new CommandError(`${folder} is not empty.`);
  const documents = await importDocuments(into, join(data, 'databases'));
  const queue = { url: o.amqpUrl, file: join(data, 'queue.jsonl'), clock: terminal.clock, mayHold: resumed || force };
  const { imported, unreadable } = await importMessages(queue);
  const given = JSON.parse(readFileSync(join(data, 'settings.json'), 'utf8')) as Record<string, string>;
  const lines = writeSettings(folder, { ...given, MONGODB_URI: into.uri, AMQP_URL: o.amqpUrl });
  for (const name of standIns(data)) cpSync(join(data, name), join(folder, name), { recursive: true });
  // Last: until then the same command goes on with what it began.
  await markDone(into);
  recordOperation(terminal, folder, 'import', { documents, messages: imported });
  terminal.out(`Imported ${documents} documents and ${imported} waiting messages; every collection counted.\n`);
  if (unreadable > 0) terminal.out(`${unreadable} messages were left behind: nobody could ever have read them.\n`);
  terminal.out(
    `The six processes need these settings, which are in ${environmentFile(folder)}:\n\n${lines.join('\n')}\n`,
  );
}
