import { type Model, Schema, type Types } from 'mongoose';
import { type Subject, uniqueName } from './subject';

interface Profile {
  _id: Types.ObjectId;
  email: string;
  role: string;
  notes?: Record<string, unknown>;
  empty?: Record<string, unknown>;
  outbox: { id: string; payload: unknown; occurredAt: Date }[];
  bytes?: Buffer;
  createdAt: Date;
  updatedAt: Date;
}

export function describeSchemas(subject: Subject): void {
  describe('mongoose schemas', () => {
    let Profiles: Model<Profile>;
    beforeAll(async () => {
      const event = new Schema({ id: String, payload: Schema.Types.Mixed, occurredAt: Date }, { _id: false });
      const schema = new Schema<Profile>(
        {
          email: { type: String, required: true, unique: true, lowercase: true },
          role: { type: String, default: 'user' },
          notes: Schema.Types.Mixed,
          empty: { type: Schema.Types.Mixed },
          outbox: [event],
          bytes: Buffer,
        },
        { timestamps: true },
      );
      Profiles = subject().model<Profile>(uniqueName('profiles'), schema);
      await Profiles.init();
    });
    beforeEach(() => Profiles.deleteMany({}));

    test('P35 create stores defaults, timestamps and subdocuments; empty objects are left out', async () => {
      const payload = { list: [1, { at: 'x' }], nothing: null };
      const made = await Profiles.create({
        email: 'A@x',
        empty: {},
        notes: { a: { b: 1 } },
        outbox: [{ id: 'e1', payload, occurredAt: new Date(5) }],
      });
      const read = await Profiles.findById(made._id).lean();
      expect(read).toEqual({
        _id: made._id,
        email: 'a@x',
        role: 'user',
        notes: { a: { b: 1 } },
        outbox: [{ id: 'e1', payload, occurredAt: new Date(5) }],
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
        __v: 0,
      });
      expect((await Profiles.findOne({ email: 'a@x' }))?.outbox[0]?.payload).toEqual(payload);
    });

    test('an ObjectId is found as text and as itself', async () => {
      const made = await Profiles.create({ email: 'a@x' });
      expect((await Profiles.findById(made._id.toHexString()).lean())?.email).toBe('a@x');
      expect(await Profiles.countDocuments({ _id: { $in: [made._id] } })).toBe(1);
      expect(await Profiles.countDocuments({ _id: { $gt: made._id } })).toBe(0);
    });

    test('an update moves updatedAt and not createdAt, and an upsert takes defaults', async () => {
      const made = await Profiles.create({ email: 'a@x', createdAt: new Date(1), updatedAt: new Date(1) });
      const event = { id: 'e', payload: { x: 1 }, occurredAt: new Date(2) };
      const after = await Profiles.findOneAndUpdate(
        { _id: made._id },
        { $set: { role: 'admin' }, $push: { outbox: event } },
        { returnDocument: 'after' },
      ).lean();
      expect(after).toMatchObject({ role: 'admin', outbox: [event] });
      expect(after?.createdAt).toEqual(made.createdAt);
      expect(after?.updatedAt.getTime()).toBeGreaterThan(1);
      const upserted = await Profiles.findOneAndUpdate(
        { email: 'b@x' },
        { $set: { notes: {} } },
        { upsert: true, returnDocument: 'after', setDefaultsOnInsert: true },
      ).lean();
      expect(upserted).toMatchObject({ email: 'b@x', role: 'user', outbox: [], createdAt: expect.any(Date) });
    });

    test('save writes changes of a document', async () => {
      const made = await Profiles.create({ email: 'a@x' });
      made.role = 'admin';
      made.outbox.push({ id: 'e', payload: 1, occurredAt: new Date(3) });
      await made.save();
      expect(await Profiles.findById(made._id).lean()).toMatchObject({
        role: 'admin',
        outbox: [{ id: 'e', payload: 1 }],
      });
      await expect(Profiles.create({ email: 'a@x' })).rejects.toMatchObject({
        code: 11000,
        keyValue: { email: 'a@x' },
      });
      expect(await made.deleteOne()).toMatchObject({ deletedCount: 1 });
    });

    test('bytes survive', async () => {
      const made = await Profiles.create({ email: 'a@x', bytes: Buffer.from([1, 0, 254]) });
      expect((await Profiles.findById(made._id))?.bytes?.equals(Buffer.from([1, 0, 254]))).toBe(true);
    });
  });
}
