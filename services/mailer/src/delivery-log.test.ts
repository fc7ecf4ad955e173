import type { MailDocument } from './models/mail.js';
import { eventually } from './testing/eventually.js';
import { orderNotice, orderReset } from './testing/orders.js';
import { startMailer, type TestMailer } from './testing/start-mailer.js';
import { forgetOldMails } from './use-cases/forget-old-mails.js';

let mailer: TestMailer;
beforeEach(async () => {
  mailer = await startMailer();
});
afterEach(() => mailer.end());

test('the log is listed newest first, page by page, each mail once', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    ids.push(await orderNotice(mailer));
    await mailer.reaches(ids[n] as string, 'sent');
  }
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await mailer.api.listMails({ query: { limit: '2', ...(after && { after }) } }, mailer.context());
    expect(page.mails.length).toBeLessThanOrEqual(2);
    seen.push(...page.mails.map(({ id }) => id));
    after = page.next ?? undefined;
  } while (after);
  expect(seen).toEqual(ids.reverse());
});

test('the log can be asked for what one request led to, and for one state, page by page too', async () => {
  mailer.smtp.script = { rcptTo: () => '550 no such mailbox' };
  const failing = await orderNotice(mailer);
  await mailer.reaches(failing, 'failed');
  mailer.smtp.script = {};
  const sent = [await orderNotice(mailer), await orderNotice(mailer)];
  for (const id of sent) await mailer.reaches(id, 'sent');
  const ids = async (query: { request_id?: string; state?: 'failed' | 'sent'; after?: string; limit?: string }) => {
    const { mails, next } = await mailer.api.listMails({ query }, mailer.context());
    return { ids: mails.map(({ id }) => id), next };
  };
  const { request_id: requestId } = await mailer.mail(failing);
  const mine = await ids({ request_id: requestId });
  expect(mine.ids).toContain(failing);
  expect((await ids({ request_id: 'another-request' })).ids).toEqual([]);
  expect(await ids({ state: 'failed' })).toEqual({ ids: [failing], next: null });
  expect((await ids({ request_id: requestId, state: 'failed' })).ids).toEqual([failing]);
  const first = await ids({ state: 'sent', limit: '1' });
  const second = await ids({ state: 'sent', limit: '1', after: first.next as string });
  expect([...first.ids, ...second.ids].sort()).toEqual([...sent].sort());
  expect(second.next).toBeNull();
});

test('mails of the same millisecond are parted by their id, and none is lost between pages', async () => {
  const ids = await Promise.all(Array.from({ length: 9 }, () => orderNotice(mailer)));
  await Promise.all(ids.map((id) => mailer.reaches(id, 'sent')));
  await mailer.connection
    .collection('mails')
    .updateMany({ finishedAt: { $ne: null } } as never, { $set: { createdAt: new Date(1e12) } })
    .catch(async () => {
      for (const id of ids)
        await mailer.connection
          .collection('mails')
          .updateOne({ _id: id as never }, { $set: { createdAt: new Date(1e12) } });
    });
  const first = await mailer.api.listMails({ query: { limit: '4' } }, mailer.context());
  const second = await mailer.api.listMails({ query: { limit: '200', after: first.next as string } }, mailer.context());
  expect([...first.mails, ...second.mails].map(({ id }) => id)).toEqual(ids.sort().reverse());
});

test.each(['nonsense', '', Buffer.from('abc def').toString('base64url')])(
  'a cursor that was not given out is refused: %j',
  async (after) => {
    await expect(mailer.api.listMails({ query: { after } }, mailer.context())).rejects.toMatchObject({
      code: 'validation-failed',
    });
  },
);

test('a mail with a link is replayed by its owner, who makes a fresh one', async () => {
  const { id } = await orderReset(mailer);
  await mailer.reaches(id, 'sent');
  const answer = await mailer.api.replayMail({ params: { id } }, mailer.context());
  expect(answer).toEqual({ message: 'on its way' });
  expect(mailer.asked).toEqual([{ operation: 'reissueLink', input: { params: { user_id: '7' } } }]);
  expect(mailer.smtp.received).toHaveLength(1);
});

test('a mail without a link is sent once more as a mail of its own', async () => {
  const id = await orderNotice(mailer);
  await mailer.reaches(id, 'sent');
  await mailer.api.replayMail({ params: { id } }, mailer.context());
  const { mails } = await mailer.api.listMails({ query: {} }, mailer.context());
  const again = mails.find(({ replay_of }) => replay_of === id);
  expect(again).toBeDefined();
  await mailer.reaches(again?.id as string, 'sent');
  expect(new Set(mailer.smtp.received.map(({ messageId }) => messageId)).size).toBe(2);
});

test('a mail that is still on its way is not replayed; an unknown one is not found', async () => {
  mailer.smtp.script = { rcptTo: () => '451 later' };
  const { id } = await orderReset(mailer);
  await eventually(async () => expect((await mailer.mail(id)).attempts.length).toBeGreaterThan(0));
  await expect(mailer.api.replayMail({ params: { id } }, mailer.context())).rejects.toMatchObject({
    code: 'not-replayable',
  });
  await expect(mailer.api.replayMail({ params: { id: 'none' } }, mailer.context())).rejects.toMatchObject({
    code: 'not-found',
  });
  await expect(mailer.api.showMail({ params: { id: 'none' } }, mailer.context())).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('finished mails are forgotten after their time, those with an unpublished event (O6) and unfinished ones are not', async () => {
  mailer.smtp.script = { rcptTo: (to) => (to.startsWith('later') ? '451 later' : undefined) };
  const [old, reporting, waiting] = await Promise.all([
    orderNotice(mailer),
    orderNotice(mailer),
    orderNotice(mailer, 'later@example.org'),
  ]);
  await mailer.reaches(old, 'sent');
  await mailer.reaches(reporting, 'sent');
  const mails = mailer.connection.model<MailDocument>('Mail');
  await mails.updateOne({ _id: reporting }, { $set: { outboxPending: true } });
  const at = (days: number) => ({ now: () => Date.now() + days * 24 * 3600 * 1000 });
  await forgetOldMails({ mails, clock: at(29), retentionDays: 30 })();
  expect(await mailer.mail(old)).toMatchObject({ state: 'sent' });
  await forgetOldMails({ mails, clock: at(31), retentionDays: 30 })();
  await expect(mailer.mail(old)).rejects.toMatchObject({ code: 'not-found' });
  expect(await mailer.mail(waiting)).toMatchObject({ state: 'queued' });
});
