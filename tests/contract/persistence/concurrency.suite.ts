import { type Model, Schema } from 'mongoose';
import { atOnce, type Subject, uniqueName } from './subject';

interface Job {
  _id: string;
  owner?: string | null;
  state?: string;
  count?: number;
}

export function describeConcurrency(subject: Subject): void {
  describe('at once', () => {
    let Jobs: Model<Job>;
    beforeAll(async () => {
      const schema = new Schema<Job>(
        { _id: String, owner: String, state: String, count: Number },
        { versionKey: false },
      );
      schema.index({ state: 1, _id: 1 });
      Jobs = subject().model<Job>(uniqueName('jobs'), schema);
      await Jobs.init();
    });
    beforeEach(() => Jobs.deleteMany({}));

    const values = <T>(results: PromiseSettledResult<T>[]) =>
      results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));

    test('of 100 claims of one document exactly one wins', async () => {
      await Jobs.create({ _id: 'job', owner: null });
      const claims = await atOnce(100, (index) =>
        Jobs.findOneAndUpdate(
          { _id: 'job', owner: null },
          { $set: { owner: `o${index}` } },
          { returnDocument: 'after' },
        ).lean(),
      );
      const won = values(claims).filter((job) => job !== null);
      expect(won).toHaveLength(1);
      expect((await Jobs.findById('job').lean())?.owner).toBe(won[0]?.owner);
    });

    test('100 claims of 40 documents: each has one owner', async () => {
      await Jobs.insertMany(Array.from({ length: 40 }, (_, index) => ({ _id: `j${index}`, state: 'waiting' })));
      const claims = await atOnce(100, (index) =>
        Jobs.findOneAndUpdate(
          { state: 'waiting' },
          { $set: { state: 'taken', owner: `o${index}` } },
          { sort: { _id: 1 } },
        ).lean(),
      );
      const taken = values(claims).flatMap((job) => (job === null ? [] : [job._id]));
      expect(new Set(taken).size).toBe(40);
      expect(taken).toHaveLength(40);
    });

    test('100 increments count to 100', async () => {
      await Jobs.create({ _id: 'job', count: 0 });
      await atOnce(100, () => Jobs.updateOne({ _id: 'job' }, { $inc: { count: 1 } }));
      expect((await Jobs.findById('job').lean())?.count).toBe(100);
    });

    test('upserts of one _id make one document', async () => {
      const results = await atOnce(50, () => Jobs.updateOne({ _id: 'one' }, { $inc: { count: 1 } }, { upsert: true }));
      const done = values(results);
      for (const each of results) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 11000 });
      expect(done.filter((each) => each.upsertedCount === 1)).toHaveLength(1);
      expect(await Jobs.find({ _id: 'one' }).lean()).toEqual([{ _id: 'one', count: done.length }]);
    });

    test('findOneAndUpdate upserts of one _id make one document and each gives it as it then is', async () => {
      const upsert = () =>
        Jobs.findOneAndUpdate({ _id: 'one' }, { $inc: { count: 1 } }, { upsert: true, returnDocument: 'after' }).lean();
      const results = await atOnce(50, upsert);
      for (const each of results) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 11000 });
      const counts = values(results).map((job) => job?.count);
      expect(new Set(counts).size).toBe(counts.length);
      expect(await Jobs.findById('one').lean()).toEqual({ _id: 'one', count: counts.length });
    });

    test('one insert of many equal ones succeeds, others beside them are not touched', async () => {
      const results = await atOnce(60, (index) =>
        Jobs.collection.insertOne({ _id: index % 2 === 0 ? 'same' : `own${index}` } as never),
      );
      expect(values(results)).toHaveLength(31);
      for (const each of results) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 11000 });
      expect(await Jobs.countDocuments()).toBe(31);
    });

    test('an answered write is seen by the next read', async () => {
      for (let index = 0; index < 20; index++) {
        await Jobs.updateOne({ _id: 'job' }, { $set: { count: index } }, { upsert: true });
        expect((await Jobs.findById('job').lean())?.count).toBe(index);
      }
    });
  });
}
