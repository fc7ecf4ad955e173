import { describeArrays } from './arrays.suite';
import { describeConcurrency } from './concurrency.suite';
import { describeDates } from './dates.suite';
import { describeIndexes } from './indexes.suite';
import { describeReading } from './reading.suite';
import { describeSchemas } from './schemas.suite';
import type { OpenDatabase } from './subject';
import { describeUndefined } from './undefined.suite';
import { describeWriting } from './writing.suite';

/**
 * What the services need of a database. Holds for MongoDB and for the embedded one alike; nothing here is special to either. `deviations` names the tests that
 * a stand-in for MongoDB fails although MongoDB's documentation says what they say; each must fail, so that the list stays true.
 */
export function describePersistence(
  name: string,
  open: () => Promise<OpenDatabase>,
  deviations: readonly string[] = [],
): void {
  describe(`persistence on ${name}`, () => {
    let database: OpenDatabase;
    beforeAll(async () => {
      database = await open();
    });
    afterAll(() => database?.close());
    const subject = () => database.connection;

    describeReading(subject, deviations);
    describeWriting(subject);
    describeArrays(subject);
    describeDates(subject);
    describeIndexes(subject);
    describeConcurrency(subject);
    describeSchemas(subject);
    describeUndefined(subject);
  });
}
