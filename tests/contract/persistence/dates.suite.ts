import { type Model, Schema } from 'mongoose';
import { type Subject, uniqueName } from './subject';

interface Task {
  _id: string;
  at?: Date | null;
  lease?: { until?: Date | null; owner?: string };
  seconds?: number;
}

const day = (number: number) => new Date(Date.UTC(2024, 0, number));

export function describeDates(subject: Subject): void {
  describe('dates', () => {
    let Tasks: Model<Task>;
    const ids = async (filter: object, sort: Record<string, 1 | -1> = { at: 1 }) =>
      (await Tasks.find(filter).sort(sort).lean()).map((task) => task._id);

    beforeAll(async () => {
      const schema = new Schema<Task>(
        { _id: String, at: Date, lease: { until: Date, owner: String }, seconds: Number },
        { versionKey: false },
      );
      schema.index({ at: 1 }).index({ 'lease.until': 1 });
      Tasks = subject().model<Task>(uniqueName('tasks'), schema);
      await Tasks.init();
    });
    beforeEach(async () => {
      await Tasks.deleteMany({});
      await Tasks.insertMany([
        { _id: 'a', at: day(1) },
        { _id: 'b', at: day(2) },
        { _id: 'c', at: day(3) },
        { _id: 'd', at: null },
        { _id: 'e' },
      ]);
    });

    test('equality, ranges, null and sort', async () => {
      expect(await ids({ at: day(2) })).toEqual(['b']);
      expect(await ids({ at: { $gte: day(2) } })).toEqual(['b', 'c']);
      expect(await ids({ at: { $gt: day(1), $lt: day(3) } })).toEqual(['b']);
      expect(await ids({ at: { $lte: day(2) } }, { at: -1 })).toEqual(['b', 'a']);
      expect(await ids({ at: { $in: [day(1), day(3)] } })).toEqual(['a', 'c']);
      expect((await ids({ at: null })).sort()).toEqual(['d', 'e']);
      expect(await ids({ at: { $lt: new Date('2100-01-01') } }, { at: -1 })).toEqual(['c', 'b', 'a']);
    });

    test('dates come back as dates', async () => {
      const task = await Tasks.findOne({ _id: 'a' }).lean();
      expect(task?.at).toBeInstanceOf(Date);
      expect(task?.at).toEqual(day(1));
    });

    test('$currentDate writes the time of the database', async () => {
      const before = await Tasks.findOneAndUpdate(
        { _id: 'a' },
        { $currentDate: { at: true, 'lease.until': { $type: 'date' } } },
        { returnDocument: 'after' },
      ).lean();
      expect(before?.at).toBeInstanceOf(Date);
      expect(before?.lease?.until).toEqual(before?.at);
      expect(await Tasks.countDocuments({ _id: 'a', $expr: { $lte: ['$at', '$$NOW'] } })).toBe(1);
      expect(
        await Tasks.countDocuments({
          _id: 'a',
          $expr: { $gt: ['$at', { $dateSubtract: { startDate: '$$NOW', unit: 'minute', amount: 10 } }] },
        }),
      ).toBe(1);
    });

    test('a lease by the clock of the database: one owner until it ends', async () => {
      const free = { $expr: { $lt: [{ $add: [{ $ifNull: ['$lease.until', new Date(0)] }, 5_000] }, '$$NOW'] } };
      const lease = (owner: string) =>
        Tasks.findOneAndUpdate(
          { _id: 'a', ...free },
          { $set: { 'lease.owner': owner }, $currentDate: { 'lease.until': true } },
          { returnDocument: 'after' },
        ).lean();
      expect((await lease('one'))?.lease?.owner).toBe('one');
      expect(await lease('two')).toBeNull();
      await Tasks.updateOne({ _id: 'a' }, { $set: { 'lease.until': new Date(Date.now() - 60_000) } });
      expect((await lease('two'))?.lease?.owner).toBe('two');
    });

    test('a lease as the relay takes it: $subtract from $$NOW and $currentDate, for an absent, a free and a held one', async () => {
      const take = () =>
        Tasks.findOneAndUpdate(
          {
            _id: 'e',
            $or: [{ 'lease.until': null }, { $expr: { $lte: ['$lease.until', { $subtract: ['$$NOW', 60_000] }] } }],
          },
          { $currentDate: { 'lease.until': true } },
          { returnDocument: 'after' },
        ).lean();
      const first = await take();
      expect(first?.lease?.until).toBeInstanceOf(Date);
      expect(await take()).toBeNull();
      const past = (first?.lease?.until?.getTime() ?? 0) - 61_000;
      await Tasks.updateOne({ _id: 'e' }, { $set: { 'lease.until': new Date(past) } });
      expect((await take())?.lease?.until?.getTime()).toBeGreaterThan(past);
    });

    test('$expr computes with dates', async () => {
      await Tasks.updateOne({ _id: 'a' }, { $set: { seconds: 3600, 'lease.until': day(2) } });
      const match = (expression: object) => Tasks.countDocuments({ _id: 'a', $expr: expression });
      expect(await match({ $eq: [{ $subtract: ['$lease.until', '$at'] }, 86_400_000] })).toBe(1);
      expect(await match({ $eq: [{ $dateAdd: { startDate: '$at', unit: 'day', amount: 1 } }, '$lease.until'] })).toBe(
        1,
      );
      expect(
        await match({ $lt: [{ $dateAdd: { startDate: '$at', unit: 'second', amount: '$seconds' } }, '$lease.until'] }),
      ).toBe(1);
      expect(await match({ $and: [{ $lt: ['$at', '$$NOW'] }, { $or: [{ $gt: ['$seconds', 1] }, false] }] })).toBe(1);
      expect(await Tasks.countDocuments({ _id: 'e', $expr: { $lt: ['$lease.until', '$$NOW'] } })).toBe(1);
      expect(await Tasks.countDocuments({ _id: 'e', $expr: { $eq: ['$lease.until', null] } })).toBe(0);
    });
  });
}
