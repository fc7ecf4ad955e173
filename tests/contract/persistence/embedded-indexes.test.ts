import { openEmbeddedDatabase } from '@latchkey/embedded';
import { type Connection, type Model, Schema } from 'mongoose';
import { databaseFolder } from './database-files';

const fileFor = databaseFolder();

interface Explained {
  indexes: string[];
  sorted: boolean;
  plan: string[];
}

describe('the embedded database and its indexes', () => {
  let connection: Connection;
  let Things: Model<Record<string, unknown>>;
  const explain = (filter: object, sort: Record<string, 1 | -1> = {}, limit = 0) =>
    Things.find(filter).sort(sort).limit(limit).explain() as unknown as Promise<Explained>;

  beforeAll(async () => {
    connection = await openEmbeddedDatabase({ file: fileFor('indexes'), refuseUnindexedFilters: true });
    const schema = new Schema({ _id: String }, { strict: false, versionKey: false });
    schema.index({ email: 1 }, { unique: true, sparse: true }).index({ at: -1 }).index({ state: 1, at: 1 });
    schema.index({ 'outbox.id': 1 }).index({ card: 1 }, { partialFilterExpression: { active: true } });
    Things = connection.model('Thing', schema) as unknown as Model<Record<string, unknown>>;
    await Things.init();
    await Things.collection.insertMany([{ _id: '1', email: 'a', outbox: [{ id: 'x' }, { id: 'y' }] }] as never);
  });
  afterAll(() => connection.close());

  test.each<[string, object, Record<string, 1 | -1>, string[], boolean]>([
    ['_id', { _id: '1' }, {}, ['_id_'], true],
    ['_id range in order', { _id: { $gt: '1' } }, { _id: 1 }, ['_id_'], true],
    ['equality', { email: 'a' }, {}, ['email_1'], true],
    ['$in', { email: { $in: ['a', 'b'] } }, {}, ['email_1'], true],
    ['$in in order', { email: { $in: ['a', 'b'] } }, { email: -1 }, ['email_1'], true],
    ['prefix pattern', { email: /^a\.b/ }, {}, ['email_1'], true],
    ['prefix range', { email: { $gte: 'a', $lt: 'b' } }, {}, ['email_1'], true],
    ['existence, by a sparse index', { email: { $exists: true } }, {}, ['email_1'], true],
    ['date range on a descending index', { at: { $lt: new Date() } }, { at: 1 }, ['at_-1'], true],
    ['type', { at: { $type: 'date' } }, {}, ['at_-1'], true],
    ['missing', { at: null }, {}, ['at_-1'], true],
    ['equality, range and sort together', { state: 's', at: { $lte: new Date() } }, { at: 1 }, ['state_1_at_1'], true],
    ['the same backwards', { state: 's' }, { at: -1 }, ['state_1_at_1'], true],
    ['equality with a sort in memory', { state: 's' }, { name: 1 }, ['state_1_at_1'], false],
    ['array element', { 'outbox.id': 'y' }, {}, ['outbox.id_1'], true],
    ['$elemMatch', { outbox: { $elemMatch: { id: 'y', name: 'z' } } }, {}, ['outbox.id_1'], true],
    ['partial index whose condition the filter holds', { card: 'c', active: true }, {}, ['card_1'], true],
    [
      '$or, each branch by its own',
      { $or: [{ email: 'a' }, { state: 's', at: new Date() }] },
      {},
      ['email_1', 'state_1_at_1'],
      false,
    ],
    ['$and', { $and: [{ name: 'x' }, { email: 'a' }] }, {}, ['email_1'], true],
    ['order of an index alone', {}, { at: -1 }, ['at_-1'], true],
  ])('%s goes to SQL', async (_name, filter, sort, indexes, sorted) => {
    const explained = await explain(filter, sort);
    expect(explained.indexes).toEqual(indexes);
    expect(explained.sorted).toBe(sorted);
    const searches = explained.plan.filter((line) =>
      /^SEARCH .* USING (PRIMARY KEY|INDEX \S+) \((key|id)>\? AND (key|id)<\?\)/.test(line),
    );
    expect(searches).toHaveLength(indexes.length);
    expect(explained.plan.filter((line) => /^SCAN|TEMP B-TREE/.test(line))).toEqual([]);
  });

  test('a page of a search is sorted from the few matches that indexes find, or met on a walk in its order when they are many', async () => {
    const schema = new Schema({ _id: Number }, { strict: false, versionKey: false });
    schema.index({ state: 1, name: 1 }).index({ state: 1, email: 1 }).index({ state: 1, _id: 1 });
    const Many = connection.model('Many', schema) as unknown as Model<Record<string, unknown>>;
    await Many.init();
    const documents = Array.from({ length: 2_000 }, (_, at) => ({
      _id: 2_000 - at,
      state: at % 50 === 0 ? 'gone' : 'here',
      name: `ada${at}`,
      email: `b${at}`,
    }));
    await Many.collection.insertMany(documents as never[]);
    const found = (prefix: string, after: number) => {
      const range = { $gte: prefix, $lt: `${prefix}~` };
      const either = [
        { state: 'here', name: range },
        { state: 'here', email: range },
      ];
      return Many.find({ _id: { $gt: after }, $or: either })
        .sort({ _id: 1 })
        .limit(5);
    };
    const ids = async (prefix: string, after: number) =>
      (await found(prefix, after).lean()).map(({ _id }) => Number(_id));
    const wanted = (prefix: string, after: number) =>
      documents
        .filter(({ _id, state, name }) => _id > after && state === 'here' && name.startsWith(prefix))
        .map(({ _id }) => _id)
        .sort((one, other) => one - other)
        .slice(0, 5);
    for (const [prefix, indexes] of [
      ['ada', ['_id_']],
      ['ada19', ['_id_']],
      ['ada199', ['state_1_name_1', 'state_1_email_1']],
      ['nobody', ['state_1_name_1', 'state_1_email_1']],
    ] as const) {
      expect(((await found(prefix, 0).explain()) as unknown as Explained).indexes).toEqual(indexes);
      for (const after of [0, 700, 1_999]) expect(await ids(prefix, after)).toEqual(wanted(prefix, after));
    }
  });

  test('those that hold one value of an array are met in the order of the field behind it', async () => {
    const schema = new Schema({ _id: Number }, { strict: false, versionKey: false });
    schema.index({ state: 1, grams: 1, _id: 1 }).index({ state: 1, _id: 1 });
    const Grams = connection.model('Grams', schema) as unknown as Model<Record<string, unknown>>;
    await Grams.init();
    const documents = Array.from({ length: 200 }, (_, at) => ({
      _id: 200 - at,
      state: 'here',
      grams: ['a', `a${at}`],
    }));
    await Grams.collection.insertMany(documents as never[]);
    const page = () => Grams.find({ state: 'here', _id: { $gt: 100 }, grams: 'a' }).sort({ _id: 1 });
    const explained = (await page().limit(3).explain()) as unknown as Explained;
    expect([explained.indexes, explained.sorted]).toEqual([['state_1_grams_1__id_1'], true]);
    expect((await page().limit(3).lean()).map(({ _id }) => _id)).toEqual([101, 102, 103]);
    expect(await page().lean()).toHaveLength(100);
  });

  test.each<[string, () => PromiseLike<unknown>, RegExp]>([
    ['a filter', () => Things.find({ name: 'x', age: 3 }), /filter by name, age of collection things/],
    ['findOne', () => Things.findOne({ name: 'x' }), /filter by name/],
    ['a count', () => Things.countDocuments({ name: 'x' }), /filter by name/],
    ['a negation', () => Things.find({ email: { $ne: 'x' } }), /filter by email/],
    ['a null that a sparse index does not list', () => Things.find({ email: null }), /filter by email/],
    ['a partial index without its condition', () => Things.find({ card: 'c' }), /filter by card/],
    ['one branch of $or', () => Things.find({ $or: [{ email: 'a' }, { name: 'x' }] }), /\$or/],
    ['an unanchored pattern', () => Things.find({ email: /a/ }), /filter by email/],
    ['$expr alone', () => Things.find({ $expr: { $eq: ['$a', 1] } }), /filter by \$expr/],
    ['an update', () => Things.updateMany({ name: 'x' }, { $set: { a: 1 } }), /filter by name/],
    ['a delete', () => Things.deleteMany({ name: 'x' }), /filter by name/],
    ['a sort', () => Things.find().sort({ name: 1 }).limit(5), /sort by name of collection things/],
  ])('%s without an index is refused', async (_name, run, message) => {
    await expect(Promise.resolve().then(run)).rejects.toThrow(message);
  });

  test('the whole collection may be read, counted, walked in the order of an index', async () => {
    expect(await Things.find().lean()).toHaveLength(1);
    expect(await Things.countDocuments({})).toBe(1);
    expect(await Things.find({ name: null }).sort({ _id: 1 }).limit(10).lean()).toHaveLength(1);
  });

  test.each<[string, () => unknown]>([
    ['aggregate()', () => Things.aggregate([{ $match: {} }])],
    ['watch()', () => Things.collection.watch()],
    ['startSession()', () => connection.startSession()],
    ['session', () => Things.collection.findOne({ _id: '1' } as never, { session: {} as never })],
    ['collation', () => Things.find({ _id: '1' }).collation({ locale: 'de' })],
    ['hint', () => Things.find({ _id: '1' }).hint({ email: 1 })],
    ['aggregation pipeline', () => Things.collection.updateOne({ _id: '1' } as never, [{ $set: { a: 1 } }])],
    ['$bit', () => Things.collection.updateOne({ _id: '1' } as never, { $bit: { a: { or: 1 } } } as never)],
    ['$where', () => Things.collection.findOne({ _id: '1', $where: 'true' } as never)],
    ['a function in a filter', () => Things.collection.findOne({ _id: '1', a: () => true } as never)],
    ['text', () => Things.collection.createIndex({ a: 'text' })],
    ['collation', () => Things.collection.createIndex({ a: 1 }, { collation: { locale: 'de' } })],
    ['$slice', () => Things.find({ _id: '1' }, { outbox: { $slice: 1 } })],
    [
      'timestamp',
      () =>
        Things.collection.updateOne({ _id: '1' } as never, { $currentDate: { a: { $type: 'timestamp' } } } as never),
    ],
  ])('%s is refused by name', async (name, run) => {
    const error = await Promise.resolve()
      .then(run)
      .then(
        () => undefined,
        (reason: Error) => reason,
      );
    expect(error).toMatchObject({ name: 'UnsupportedOperationError' });
    expect(error?.message).toContain(name);
  });

  test('an unknown query operator throws', async () => {
    await expect(Things.collection.findOne({ _id: '1', a: { $near: 1 } } as never)).rejects.toThrow(/\$near/);
  });
});
