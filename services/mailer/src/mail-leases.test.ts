import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '@latchkey/tests';
import type { Connection } from 'mongoose';
import { createMailLeases, type MailLeases } from './mail-leases.js';
import { type MailModel, mailModel } from './models/mail.js';

let directory: string;
let connection: Connection;
let mails: MailModel;
let leases: MailLeases;
let databaseTime: number;
/** The application's clock may be wrong by as much as it likes: leases do not go by it (F23). */
const now = new Date('2030-01-01T00:00:00Z');

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'leases-'));
  databaseTime = Date.parse('2035-05-05T05:05:05Z');
  connection = await openTestDatabase({ file: join(directory, 'x.db'), clock: { now: () => databaseTime } });
  mails = mailModel(connection);
  await mails.init();
  leases = createMailLeases(mails);
});
afterEach(async () => {
  await connection.close();
  await rm(directory, { recursive: true });
});

async function store(id: string, nextAttemptAt: Date): Promise<void> {
  const common = {
    template: 'password-changed',
    to: 'a@b.test',
    userId: 1,
    data: {},
    subject: 's',
    language: 'en',
  } as const;
  const data = { name: '', changedAt: '', changedFrom: null };
  await mails.create({
    _id: id,
    ...common,
    data,
    state: 'queued',
    messageId: '<m>',
    requestId: 'r',
    createdAt: now,
    nextAttemptAt,
  });
}

const seconds = (count: number) => new Date(now.getTime() + count * 1000);

test('what is due is found, the longest due first; what is not due stays', async () => {
  await store('later', seconds(1));
  await store('second', seconds(-1));
  await store('first', seconds(-2));
  expect(await leases.findDue(now, 10)).toEqual(['first', 'second']);
  expect(await leases.claim('later', 'me', now)).toBeNull();
});

test('P30 of many senders one gets the mail', async () => {
  await store('mail', now);
  const claims = await Promise.all(Array.from({ length: 10 }, (_, n) => leases.claim('mail', `sender-${n}`, now)));
  expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
});

test('O3 F23 a lease lasts five seconds of the database clock after its last renewal, then another sender takes over', async () => {
  await store('mail', now);
  const claimed = await leases.claim('mail', 'dead', now);
  expect(claimed).toMatchObject({ state: 'sending', leaseOwner: 'dead', version: 1 });
  databaseTime += 4_000;
  expect(await leases.renew('mail', 'dead')).toBe(true);
  databaseTime += 4_900;
  expect(await leases.findDue(now, 10)).toEqual([]);
  expect(await leases.claim('mail', 'other', now)).toBeNull();
  databaseTime += 200;
  expect(await leases.findDue(now, 10)).toEqual(['mail']);
  expect(await leases.claim('mail', 'other', now)).toMatchObject({ leaseOwner: 'other', version: 2 });
  expect(await leases.renew('mail', 'dead')).toBe(false);
  expect(await leases.renew('mail', 'other')).toBe(true);
});
