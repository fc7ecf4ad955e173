import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { resetLinkOf } from '../support/mailbox.js';
import type { SmtpSink } from '../support/smtp-sink.js';
import type { StandaloneProcess } from '../support/standalone-process.js';
import type { Ledger, LedgerUser } from './ledger.js';

/** What clients know of a system, whatever it runs on. */
export type Reachable = Pick<StandaloneProcess, 'client' | 'adminCredentials'>;

let serial = 0;

/** An administrator who logs in again whenever the session was lost with a process. Undefined while the system is away. */
export async function logInAsAdmin(system: Reachable): Promise<ApiClient | undefined> {
  const client = system.client();
  const answer = await client.post('/login', system.adminCredentials).catch(() => undefined);
  return answer?.status === 200 ? client : undefined;
}

/** Creates one user and notes what was told. */
export async function createUser(ledger: Ledger, admin: ApiClient): Promise<LedgerUser> {
  const user = ledger.open(`ledger${++serial}@example.net`);
  const password = `first password ${serial}`;
  user.candidates.push(password);
  const body = { email: user.email, first_name: 'Led', last_name: 'Ger', password };
  const { told, body: answer } = await ledger.tell(() => admin.post('/user', body));
  user.created = told;
  user.id = (answer as { user?: { id: number } } | undefined)?.user?.id;
  return user;
}

/** Asks for a reset; when answered and none was pending, a mail is owed. */
export async function resetPassword(ledger: Ledger, client: ApiClient, user: LedgerUser): Promise<void> {
  const pending = user.resetAsked;
  user.resetAsked = true;
  const { told } = await ledger.tell(() => client.post('/reset-password', { email: user.email }));
  if (told !== 'ok') return;
  user.resetsAnswered += 1;
  if (!pending) user.mailsOwed += 1;
}

/** Spends the newest mailed link on a new password. */
export async function changePassword(
  ledger: Ledger,
  client: ApiClient,
  sink: SmtpSink,
  user: LedgerUser,
): Promise<void> {
  const mail = sink.to(user.email).findLast((one) => /reset_token=/.test(one.text));
  if (!mail) return;
  const link = resetLinkOf({ ...mail, id: '', html: '' });
  if (user.spentTokens.some(({ reset_token }) => reset_token === link.reset_token)) return;
  const password = `later password ${++serial}`;
  const { told } = await ledger.tell(() => client.post('/change-password', { ...link, password }));
  if (told === 'ok') {
    user.candidates = [password];
    user.spentTokens.push(link);
  } else if (told === 'unknown') user.candidates.push(password);
}

/** One client: makes a user, resets and changes its password, over and over, whatever happens to the system, until told to stop. */
export async function workUntil(
  stopped: () => boolean,
  system: Reachable,
  sink: SmtpSink,
  ledger: Ledger,
): Promise<void> {
  while (!stopped()) {
    const admin = await logInAsAdmin(system);
    if (!admin) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      continue;
    }
    const user = await createUser(ledger, admin);
    if (user.created !== 'ok') continue;
    await resetPassword(ledger, system.client(), user);
    if (Math.random() < 0.3) continue;
    await eventually('mail', () => stopped() || sink.to(user.email).length > 0, 3000).catch(() => undefined);
    await changePassword(ledger, system.client(), sink, user);
  }
}

/** Waits until no mail is queued any more and the outboxes have nothing left to publish. */
export async function drain(system: StandaloneProcess): Promise<void> {
  const admin = await eventually('admin session', () => logInAsAdmin(system));
  let quiet = 0;
  await eventually(
    'drained',
    async () => {
      const { body } = await admin.get('/mails?limit=200');
      const busy = body.mails.filter((mail: { state: string }) => ['queued', 'sending'].includes(mail.state)).length;
      quiet = busy === 0 && (await pendingEvents(system)) === 0 ? quiet + 1 : 0;
      return quiet >= 3;
    },
    60_000,
  );
}

/** Events that wait in an outbox or in a queue, as the services' metrics tell. */
async function pendingEvents(system: StandaloneProcess): Promise<number> {
  let sum = 0;
  for (const port of system.servicePorts()) {
    const text = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
    for (const [, value] of text.matchAll(
      /^latchkey_(?:outbox_pending|queue_ready|queue_delayed)(?:\{[^}]*\})? (\d+)/gm,
    ))
      sum += Number(value);
  }
  return sum;
}
