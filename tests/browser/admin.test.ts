// What an admin does: look after users, and do again what failed. Screenshots are kept under .build/screenshots.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { bindings, customerLinked } from '@latchkey/contracts';
import { openEmbeddedQueue } from '@latchkey/embedded';
import { createLogger, systemClock } from '@latchkey/kit';
import { browserSession } from '../support/browser-session.js';
import { eventually } from '../support/eventually.js';
import { pressOnPaymentPage, priceOf } from '../support/shopper.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { adminCredentials } from '../support/system.js';
import type { Visitor } from '../support/visitor.js';

const sink = new SmtpSink();
const settings: Record<string, string> = {};
beforeAll(async () => {
  await sink.start();
  settings.SMTP_URL = sink.url;
});
const session = browserSession(settings);
afterAll(() => sink.stop());

const password = 'correct horse battery';
const asAdmin = (path: string) => session.openLoggedIn(path, adminCredentials);

async function isSound(visitor: Visitor, name: string): Promise<void> {
  await visitor.page.waitForLoadState('networkidle');
  await visitor.screenshot(`admin-${name}`);
  expect(await visitor.seriousFaults()).toEqual([]);
}

test('a user is found, made, edited, made an admin, logged out and deleted', async () => {
  const visitor = await asAdmin('/admin/users');
  const { page } = visitor;
  await page.getByRole('link', { name: 'New user' }).click();
  await page.getByLabel('Email').fill('ada.of.admin@example.net');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await isSound(visitor, 'new-user');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('an invitation is on its way').waitFor();
  await isSound(visitor, 'user');

  await page.goto(`${session.system.publicUrl}/admin/users`);
  await page.getByLabel('Email or name begins with').fill('ADA.of');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('1 shown, which is all').waitFor();
  await isSound(visitor, 'users');
  await page.getByRole('link', { name: 'Ada Lovelace' }).click();

  const edit = page.getByRole('region', { name: 'Edit' });
  await edit.getByLabel('Last name').fill('King');
  await edit.getByLabel('Role').selectOption('admin');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('the role has changed').waitFor();
  await page.getByRole('heading', { name: 'Ada King', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByRole('region', { name: 'Access' }).getByRole('status').waitFor();

  await page.getByRole('button', { name: 'End all sessions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Delete user' }).click();
  await isSound(visitor, 'delete-user');
  // Escape and the harmless button leave everything as it is.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete user' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete user' }).count()).toBe(0);
  const client = await session.system.admin();
  expect((await client.get('/user?q=ada.of')).body.users).toEqual([]);
});

test('an address that is taken is refused in words, and the last admin stays', async () => {
  const { email } = await session.system.givenUser({ password });
  const { page } = await asAdmin('/admin/users/new');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('First name').fill('Some');
  await page.getByLabel('Last name').fill('Body');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('alert').getByText('Another').waitFor();
  const admin = await session.system.admin();
  const { id } = (await admin.get('/session')).body.user;
  await page.goto(`${session.system.publicUrl}/admin/users/${id}`);
  await page.getByRole('button', { name: 'Delete user' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  expect((await admin.get('/session')).status).toBe(200);
});

test('a reset is followed by its request id to the mail server’s refusal, and the mail is sent again', async () => {
  const user = await session.system.givenUser({ password });
  sink.script = (to) => (to === user.email ? { code: 550, at: 'rcpt' } : 'accept');
  const { headers } = await session.system.client().post('/reset-password', { email: user.email });
  const requestId = headers.get('x-request-id') as string;
  const admin = await session.system.admin();
  const mails = async () => (await admin.get(`/mails?request_id=${requestId}`)).body.mails;
  await eventually('the server to refuse', async () => (await mails())[0]?.state === 'failed');
  sink.script = () => 'accept';

  const visitor = await asAdmin('/admin/requests');
  const { page } = visitor;
  await page.getByLabel('Request id').fill(requestId);
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByRole('region', { name: 'Mails' }).getByText('refused', { exact: true }).waitFor();
  await isSound(visitor, 'request');
  await page.getByRole('region', { name: 'Mails' }).getByRole('link').first().click();
  await page.getByRole('cell', { name: /550/ }).first().waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('on its way').waitFor();
  await isSound(visitor, 'mail');
  await eventually('the second mail', async () => sink.accepted.some(({ to }) => to === user.email));
});

test('an event of the payment provider is applied again', async () => {
  const client = session.system.client();
  const { checkout } = (await client.get(`/checkout?price=${await priceOf(client)}`)).body;
  await pressOnPaymentPage(checkout.url, 'pay', 'buyer@example.net');
  const admin = await session.system.admin();
  const events = async () => (await admin.get('/webhook-events?state=applied')).body.webhook_events;
  await eventually('an event to be applied', async () => (await events()).length > 0);

  const visitor = await asAdmin('/admin/webhook-events');
  const { page } = visitor;
  await page.getByLabel('State').selectOption('applied');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('which is all').waitFor();
  await isSound(visitor, 'webhook-events');
  await page.getByRole('rowheader').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Apply again' }).click();
  await page.getByRole('region', { name: 'Apply again' }).getByRole('status').waitFor();
  await isSound(visitor, 'webhook-event');
  const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) as string);
  await eventually('it to be applied again', async () => {
    const { webhook_event } = (await admin.get(`/webhook-events/${id}`)).body;
    return webhook_event.state === 'applied' && webhook_event.replays === 1 && webhook_event.attempts > 1;
  });
});

test('a message that nobody could handle says why, and is handled again', async () => {
  const requestId = randomUUID();
  const queue = openEmbeddedQueue({
    file: join(session.system.dataDir, 'queue.db'),
    bindings,
    clock: systemClock,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  await queue.start();
  await queue.publish({
    id: randomUUID(),
    name: customerLinked.name,
    aggregateId: '404404',
    sequence: 1,
    occurredAt: new Date().toISOString(),
    correlationId: requestId,
    payload: { userId: 404_404, paymentCustomerId: 'cus_of_nobody' },
  });
  await queue.stop();
  const admin = await session.system.admin();
  const letters = async () => (await admin.get(`/dead-letters?request_id=${requestId}`)).body.dead_letters;
  await eventually('the message to die', async () => (await letters()).length === 1);

  const visitor = await asAdmin('/admin/dead-letters');
  const { page } = visitor;
  await page.getByRole('cell', { name: /404404/ }).waitFor();
  await isSound(visitor, 'dead-letters');
  await page.getByRole('link', { name: 'user.link-customer' }).click();
  await page.getByRole('button', { name: 'Handle again' }).click();
  await page.getByText('back in its queue').waitFor();
  await isSound(visitor, 'dead-letter');
});

test('the state of every service is shown, and who is no admin is told so', async () => {
  const visitor = await asAdmin('/admin');
  for (const name of ['auth', 'user', 'payment', 'mailer']) {
    await visitor.page.getByRole('heading', { name, exact: true }).waitFor();
  }
  await isSound(visitor, 'services');
  const member = await session.openLoggedIn('/admin', await session.system.givenUser({ password }));
  await member.page.getByRole('heading', { name: 'For administrators only' }).waitFor();
  await isSound(member, 'not-for-you');
  const stranger = await session.open('/admin/mails');
  await stranger.page.getByRole('heading', { name: 'Log in' }).waitFor();
});
