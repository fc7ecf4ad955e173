import { createLogger } from '@latchkey/kit';
import { connectMongo } from '@latchkey/persistence';
import { describePersistence } from '../../contract/persistence/persistence.suite';
import { uniqueName } from '../../contract/persistence/subject';
import { MongodbWire } from '../../support/mongodb-wire';

const logger = createLogger({ service: 'test', level: 'silent' });
let server: MongodbWire;
beforeAll(async () => {
  server = await MongodbWire.create();
  await server.start();
});
afterAll(() => server.dispose());

describePersistence(
  'MongoDB',
  async () => {
    const connection = await connectMongo({ uri: server.uri, dbName: uniqueName('suite'), logger });
    return { connection, close: () => connection.close() };
  },
  // Where secantusdb does not do what MongoDB documents. No service asks for any of these.
  [
    // It takes a RegExp literal for a value to look up in the index; `$regex` works.
    'anchored pattern',
    'anchored pattern with a class behind',
    // It makes one range in the index of two ends that two elements of an array may meet.
    'two ends of a range may be met by two elements',
  ],
);
