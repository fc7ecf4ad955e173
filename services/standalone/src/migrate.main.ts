// `npm run migrate`: builds the indexes on MongoDB as a step of its own, for services that start with BUILD_INDEXES=off.
import { createLogger, loadConfig, needed, readEnvironment, settings } from '@latchkey/kit';
import { migrate } from './migrate/migrate.js';

const picked = { uri: needed(settings.MONGODB_URI), logLevel: settings.LOG_LEVEL };

async function main(): Promise<void> {
  const environment = readEnvironment();
  const { uri, logLevel } = loadConfig(picked, environment);
  const logger = createLogger({ service: 'migrate', level: logLevel });
  const built = await migrate({ uri, logger, production: environment.NODE_ENV === 'production' });
  for (const [database, count] of built) logger.info({ database, built: count }, 'indexes are complete');
}

main().catch((error: Error) => {
  process.stderr.write(`The indexes could not be built: ${error.message}\n`);
  process.exitCode = 1;
});
