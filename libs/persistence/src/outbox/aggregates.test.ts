import { Problem } from '@latchkey/kit';
import { newEvent } from '../aggregate.js';
import { isDuplicateKey } from '../duplicate-key.js';
import { type Account, type Bench, deposited, openBench, type Process } from '../testing/accounts.js';

let bench: Bench;
let one: Process;
beforeEach(async () => {
  bench = await openBench();
  one = bench.process({ publish: async () => {} });
});
afterEach(() => bench.close());

const insert = (document: object) => one.aggregates.insert<Account>(one.accounts, document as Account, [], 'request');
const change = (decide: Parameters<typeof one.aggregates.change<Account>>[2]) =>
  one.aggregates.change<Account>(one.accounts, { _id: 1 }, decide, 'request');

test('insert returns the plain document as it is stored', async () => {
  const inserted = await insert({ _id: 1, balance: 5, name: undefined });
  expect(inserted).toEqual({ _id: 1, balance: 5, version: 0, outbox: [] });
  expect(await bench.accounts.findById(1).lean()).toEqual(inserted);
});

test('P16 insert lets a duplicate key pass as it is', async () => {
  await insert({ _id: 1, balance: 0 });
  const error = await insert({ _id: 1, balance: 0 }).catch((thrown: unknown) => thrown);
  expect(isDuplicateKey(error)).toBe(true);
});

test('change returns null when nothing matches, and the document untouched when there is nothing to change', async () => {
  expect(await change(() => ({ $set: { name: 'Ada' } }))).toBeNull();
  const inserted = await insert({ _id: 1, balance: 0 });
  expect(await change(() => null)).toEqual(inserted);
});

test('a decision that refuses changes nothing', async () => {
  const inserted = await insert({ _id: 1, balance: 0 });
  const refused = change(() => {
    throw new Problem('forbidden');
  });
  await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  expect(await bench.accounts.findById(1).lean()).toEqual(inserted);
});

test('O5 P17 a decision that was overtaken is made again, on what is there then', async () => {
  await insert({ _id: 1, balance: 10 });
  const seen: number[] = [];
  const changed = await change(async ({ balance }) => {
    seen.push(balance);
    if (seen.length === 1) await change(() => ({ $inc: { balance: 1 } }));
    return { $set: { balance: balance * 2 } };
  });
  expect(seen).toEqual([10, 11]);
  expect(changed).toMatchObject({ balance: 22, version: 2 });
});

describe('a change that begins with what was read already', () => {
  const changeFrom = (read: Account, decide: Parameters<typeof one.aggregates.changeFrom<Account>>[2]) =>
    one.aggregates.changeFrom<Account>(one.accounts, read, decide, 'request');
  const double = ({ balance }: Account) => ({ $set: { balance: balance * 2 } });

  test('does not read it again', async () => {
    const read = await insert({ _id: 1, balance: 10 });
    const reads = jest.spyOn(bench.accounts, 'findOne');
    expect(await changeFrom(read, double)).toMatchObject({ balance: 20, version: 1 });
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
  });

  test('P17 is decided on what is there when somebody was faster', async () => {
    const read = await insert({ _id: 1, balance: 10 });
    await change(() => ({ $inc: { balance: 1 } }));
    expect(await changeFrom(read, double)).toMatchObject({ balance: 22, version: 2 });
  });

  test('a refusal, and that there is nothing to change, are not believed of what was read', async () => {
    const read = await insert({ _id: 1, balance: 10 });
    await change(() => ({ $set: { balance: 11 } }));
    const unlessTen = (current: Account) => (current.balance === 10 ? null : double(current));
    expect(await changeFrom(read, unlessTen)).toMatchObject({ balance: 22 });
    const refuseTen = async (current: Account) => {
      if (current.balance === 10) throw new Problem('forbidden');
      return double(current);
    };
    expect(await changeFrom(read, refuseTen)).toMatchObject({ balance: 44 });
    const refuse = () => Promise.reject(new Problem('forbidden'));
    await expect(changeFrom(read, refuse)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await bench.accounts.findById(1).lean()).toMatchObject({ balance: 44 });
  });

  test('is null when the document is gone', async () => {
    const read = await insert({ _id: 1, balance: 10 });
    await bench.accounts.deleteOne({ _id: 1 });
    expect(await changeFrom(read, double)).toBeNull();
  });
});

test('P16 of many inserts at once each ends by itself: one that is refused takes no other with it', async () => {
  const together = jest.spyOn(bench.accounts.collection, 'insertMany');
  const ids = [1, 2, 3, 2, 4, 1, 5];
  const ended = await Promise.allSettled(ids.map((_id, balance) => insert({ _id, balance })));
  expect(together).toHaveBeenCalledTimes(1);
  expect(ended.map((each) => each.status === 'fulfilled' || isDuplicateKey(each.reason))).toEqual(ids.map(() => true));
  expect(ended.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true, false, true]);
  const stored = await bench.accounts.find().sort({ _id: 1 }).lean();
  expect(stored.map(({ _id, balance }) => [_id, balance])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 4],
    [5, 6],
  ]);
  together.mockRestore();
});

test('O5 contention without end is a 503', async () => {
  await insert({ _id: 1, balance: 0 });
  let tries = 0;
  const endless = change(async () => {
    tries += 1;
    await bench.accounts.updateOne({ _id: 1 }, { $inc: { version: 1 } });
    return { $inc: { balance: 1 } };
  });
  await expect(endless).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(tries).toBeGreaterThan(10);
}, 15_000);

test('undefined members are left out of what is written', async () => {
  await insert({ _id: 1, balance: 0, name: 'Ada' });
  const event = newEvent(deposited, { amount: 1, note: undefined } as { amount: number });
  const changed = await change(() => ({ $set: { name: undefined, balance: 3 }, events: [event] }));
  expect(changed).toMatchObject({ name: 'Ada', balance: 3 });
  expect(changed?.outbox[0]?.payload).toEqual({ amount: 1 });
});

test.each(['version', 'outbox', 'outboxPending', 'outbox.0.id', '_id'])(
  'a use case cannot reach for %s',
  async (field) => {
    await insert({ _id: 1, balance: 0 });
    await expect(change(() => ({ $set: { [field]: 1 } }))).rejects.toThrow(field);
  },
);

test('a field that the schema does not know is refused, not dropped in silence', async () => {
  await expect(insert({ _id: 1, balance: 0, ballance: 5 })).rejects.toThrow('ballance');
  await insert({ _id: 1, balance: 0 });
  await expect(change(() => ({ $set: { ballance: 5 } }))).rejects.toThrow('ballance');
});

test('F24 an event whose payload does not fit its definition is never stored', async () => {
  await insert({ _id: 1, balance: 0 });
  const wrong = newEvent(deposited, { amount: 'much' } as unknown as { amount: number });
  await expect(change(() => ({ $inc: { balance: 1 }, events: [wrong] }))).rejects.toThrow();
  expect(await bench.accounts.findById(1).lean()).toMatchObject({ balance: 0, outbox: [] });
});

test('F15 a database that is away is a 503 for both', async () => {
  await bench.connection.close();
  await expect(insert({ _id: 1, balance: 0 })).rejects.toMatchObject({ status: 503 });
  await expect(change(() => ({ $inc: { balance: 1 } }))).rejects.toMatchObject({ status: 503 });
});
