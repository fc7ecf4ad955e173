import mongoose from 'mongoose';
import { InsertQueues, type InsertTarget } from './insert-queues.js';

const { MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongoose.mongo;

/** A collection whose commands end when the test says so. */
class FakeTarget implements InsertTarget {
  readonly commands: { readonly documents: readonly unknown[]; end(error?: Error): void }[] = [];
  insertOne = (document: object) => this.#command([document]);
  insertMany = (documents: object[]) => this.#command(documents);

  #command(documents: readonly unknown[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.commands.push({ documents, end: (error) => (error ? reject(error) : resolve()) });
    });
  }
}

let target: FakeTarget;
let queues: InsertQueues;
beforeEach(() => {
  jest.useFakeTimers();
  target = new FakeTarget();
  queues = new InsertQueues();
});
afterEach(() => jest.useRealTimers());

/** How it ended: 'stored', or the message of its error. */
const insert = (n: number): Promise<string> =>
  queues.insert(target, { n }).then(
    () => 'stored',
    (error: Error) => error.message,
  );
const turn = () => jest.advanceTimersByTimeAsync(0);
const end = async (at: number, error?: Error) => {
  target.commands[at]?.end(error);
  await turn();
};
const numbers = () => target.commands.map(({ documents }) => documents.map((each) => (each as { n: number }).n));
const refusal = (...positions: number[]) =>
  new MongoBulkWriteError(
    { message: 'E11000', code: 11000, writeErrors: positions.map((index) => ({ index })) } as never,
    {} as never,
  );

test('the first goes at once; those that come meanwhile share the next command, a hundred at most', async () => {
  const ended = Array.from({ length: 150 }, (_, n) => insert(n));
  expect(numbers()).toEqual([[0]]);
  await end(0);
  await end(1);
  await end(2);
  expect(numbers().map(({ length }) => length)).toEqual([1, 100, 49]);
  expect(numbers().flat()).toEqual(ended.map((_, n) => n));
  expect(new Set(await Promise.all(ended))).toEqual(new Set(['stored']));
  void insert(150);
  expect(numbers().at(-1)).toEqual([150]);
});

test('one is not told before its own command has ended, and collections do not wait for each other', async () => {
  const other = new FakeTarget();
  const settled: number[] = [];
  const [first, second] = [insert(0), insert(1)];
  void first.then(() => settled.push(0));
  void second.then(() => settled.push(1));
  void queues.insert(other, { n: 7 });
  expect(other.commands).toHaveLength(1);
  await end(0);
  expect(settled).toEqual([0]);
  await end(1);
  expect(settled).toEqual([0, 1]);
});

test('who was refused in company is tried alone, and gets the error that is its own', async () => {
  const ended = [insert(0), insert(1), insert(2), insert(3)];
  await end(0);
  await end(1, refusal(0, 2));
  expect(numbers()).toEqual([[0], [1, 2, 3], [1], [3]]);
  await end(2, new MongoServerError({ message: 'its own', code: 11000 }));
  await end(3);
  expect(await Promise.all(ended)).toEqual(['stored', 'its own', 'stored', 'stored']);
});

test('when one makes the command impossible each is tried alone', async () => {
  const ended = [insert(0), insert(1), insert(2)];
  await end(0);
  await end(1, new TypeError('cannot be sent'));
  expect(numbers()).toEqual([[0], [1, 2], [1], [2]]);
  await end(2, new TypeError('its own'));
  await end(3);
  expect(await Promise.all(ended)).toEqual(['stored', 'its own', 'stored']);
});

test.each([
  ['a broken connection', new MongoBulkWriteError(new MongoNetworkError('broken'), {} as never)],
  ['a majority that was not reached', new MongoBulkWriteError({ message: 'broken', code: 64 } as never, {} as never)],
  [
    'the same beside a refusal',
    Object.assign(refusal(0), { message: 'broken', result: { getWriteConcernError: () => ({ code: 64 }) } }),
  ],
  ['a database that is away', new MongoNetworkError('broken')],
])('F15 after %s none of a command counts as stored, and the next command goes', async (_name, error) => {
  const ended = [insert(0), insert(1), insert(2)];
  await end(0);
  const next = insert(3);
  await end(1, error);
  await end(2);
  expect(numbers()).toEqual([[0], [1, 2], [3]]);
  expect(await Promise.all([...ended, next])).toEqual(['stored', 'broken', 'broken', 'stored']);
});

test('a command that hangs holds up no other for long, and frees the way only once', async () => {
  const hanging = insert(0);
  const [second, third] = [insert(1), insert(2)];
  await jest.advanceTimersByTimeAsync(100);
  expect(numbers()).toEqual([[0], [1, 2]]);
  const fourth = insert(3);
  await end(0);
  expect(numbers()).toEqual([[0], [1, 2]]);
  await end(1);
  await end(2);
  expect(await Promise.all([hanging, second, third, fourth])).toEqual(['stored', 'stored', 'stored', 'stored']);
});
