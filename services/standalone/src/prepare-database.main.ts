// The one-shot of docker-compose.yml that makes MongoDB a replica set with an account for each service. `node prepare-database.main.js <users.json>`
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { loadConfig, needed, readEnvironment, settings } from '@latchkey/kit';
import mongoose from 'mongoose';
import { z } from 'zod';
import { prepareDatabase } from './containers/prepare-database.js';

const users = z.array(
  z.object({ user: z.string(), password: z.string(), database: z.string(), writes: z.array(z.string()) }),
);

async function main(): Promise<void> {
  const { uri } = loadConfig({ uri: needed(settings.MONGODB_URI) }, readEnvironment());
  const client = await new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 30_000 }).connect();
  try {
    await prepareDatabase({
      run: (database, command) => client.db(database).command(command),
      host: new URL(uri).host,
      users: users.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))),
      pause: () => wait(500),
    });
  } finally {
    await client.close();
  }
  process.stdout.write('The database is ready.\n');
}

main().catch((error: Error) => {
  // Compose starts it again.
  process.stderr.write(`The database could not be prepared: ${error.message}\n`);
  process.exitCode = 1;
});
