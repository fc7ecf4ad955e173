import { createLogger, Problem } from '@latchkey/kit';
import type { AggregateFields, Aggregates, Change, Decide } from '@latchkey/persistence';
import type { MailDocument, MailModel } from './models/mail.js';
import { recordAttempt } from './record-attempt.js';

const logger = createLogger({ service: 'record-test', level: 'silent' });
const mail = { _id: 'mail', state: 'sending', leaseOwner: 'me', requestId: 'r' } as MailDocument;
const never = new AbortController().signal;
const sent: Change = { $set: { state: 'sent' } };
const failed: Change = { $set: { state: 'failed' } };

/** Aggregates over one document, away for the first `outages` calls. */
function recordOn(current: Partial<MailDocument>, outages = 0) {
  const written: (Change | null)[] = [];
  let calls = 0;
  const changeFrom = async <D extends AggregateFields>(_model: unknown, _read: unknown, decide: Decide<D>) => {
    calls += 1;
    if (calls <= outages) throw new Problem('service-unavailable');
    written.push(await decide({ ...mail, ...current } as unknown as D));
    return null;
  };
  const aggregates = { changeFrom } as unknown as Aggregates;
  const record = recordAttempt({ mails: {} as MailModel, aggregates, clock: { now: () => 5 }, logger });
  return { record, written, calls: () => calls };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('F5 F15 what the server has accepted is written down as soon as the database is back', async () => {
  const { record, written } = recordOn({}, 5);
  const done = record(mail, 'me', sent, never);
  await jest.advanceTimersByTimeAsync(10_000);
  await done;
  expect(written).toEqual([sent]);
});

test('a stop does not wait for a database that is away', async () => {
  const stopping = new AbortController();
  const { record, calls } = recordOn({}, Number.POSITIVE_INFINITY);
  const done = record(mail, 'me', sent, stopping.signal);
  await jest.advanceTimersByTimeAsync(1_000);
  stopping.abort();
  await done;
  const before = calls();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(calls()).toBe(before);
});

test.each<[string, Partial<MailDocument>, Change | 'requeue', Change | null]>([
  ['a failure of the holder', {}, failed, failed],
  ['a failure told by who lost the lease', { leaseOwner: 'other' }, failed, null],
  ['a success told by who lost the lease', { leaseOwner: 'other' }, sent, sent],
  ['anything about a mail that has ended', { state: 'sent' }, failed, null],
  [
    'an attempt that was cut off',
    {},
    'requeue',
    { $set: { state: 'queued', nextAttemptAt: new Date(5) }, $unset: { leaseOwner: 1, leasedAt: 1 } },
  ],
])('%s is written as it must be', async (_name, current, outcome, expected) => {
  const { record, written } = recordOn(current);
  await record(mail, 'me', outcome, never);
  expect(written).toEqual([expected]);
});
