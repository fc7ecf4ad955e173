import type { ApiClient } from '../support/api-client.js';
import { resetLinkOf } from '../support/mailbox.js';
import type { SmtpSink, SunkMail } from '../support/smtp-sink.js';

/** What the client was told: success, a clear refusal, or nothing (the connection died, so either may be true). */
export type Told = 'ok' | 'refused' | 'unknown';

export interface LedgerUser {
  readonly email: string;
  id: number | undefined;
  created: Told;
  /** Passwords that may be the right one now: one when all is known, more after an unanswered change. */
  candidates: string[];
  /** Resets that were answered with success, by the order of asking. */
  resetsAnswered: number;
  /** A reset may be under way: answered or not. */
  resetAsked: boolean;
  spentTokens: { reset_token: string; user_id: number }[];
  /** Resets that were answered while no other was pending: each owes a mail. */
  mailsOwed: number;
}

export interface Verdict {
  readonly users: number;
  readonly answered: number;
  readonly unknown: number;
  readonly mails: number;
  readonly lost: string[];
  readonly unexpected: string[];
  readonly tokensReused: string[];
  readonly extraCopies: number;
  readonly wrongCopies: string[];
}

/**
 * The record of what clients asked and were told, in the manner of Jepsen: after the dust has settled, everything told `ok` must have its effect, and nothing
 * may have an effect that nobody asked for.
 */
export class Ledger {
  readonly users = new Map<string, LedgerUser>();
  answered = 0;
  unknown = 0;

  open(email: string): LedgerUser {
    const user: LedgerUser = {
      email,
      id: undefined,
      created: 'unknown',
      candidates: [],
      resetsAnswered: 0,
      resetAsked: false,
      spentTokens: [],
      mailsOwed: 0,
    };
    this.users.set(email, user);
    return user;
  }

  /** Runs one request and says what the client was told. */
  async tell(
    request: () => Promise<{ status: number; body: unknown }>,
  ): Promise<{ told: Told; body: unknown; status: number }> {
    try {
      const { status, body } = await request();
      if (status >= 200 && status < 300) {
        this.answered += 1;
        return { told: 'ok', body, status };
      }
      if (status < 500) return { told: 'refused', body, status };
      this.unknown += 1;
      return { told: 'unknown', body, status };
    } catch {
      this.unknown += 1;
      return { told: 'unknown', body: undefined, status: 0 };
    }
  }

  /** Compares the books with the world: logs in as everybody, counts mails, presents spent tokens again. `deaths`: when the system's process ended. */
  async settle(client: () => ApiClient, sink: SmtpSink, deaths: readonly number[]): Promise<Verdict> {
    const verdict = {
      users: this.users.size,
      answered: this.answered,
      unknown: this.unknown,
      mails: sink.accepted.length,
      lost: [] as string[],
      unexpected: [] as string[],
      tokensReused: [] as string[],
      ...copiesOf(sink.accepted, deaths),
    };
    for (const user of this.users.values()) await this.#settleUser(user, client, sink, verdict);
    return verdict;
  }

  async #settleUser(user: LedgerUser, client: () => ApiClient, sink: SmtpSink, verdict: Verdict): Promise<void> {
    const works: string[] = [];
    for (const password of user.candidates) {
      const { status } = await client().post('/login', { email: user.email, password });
      if (status === 200) works.push(password);
    }
    const resetMails = sink.to(user.email).filter((mail) => /reset_token=/.test(mail.text));
    if (user.created === 'ok' && works.length === 0) {
      // The password was replaced: then there must be a mail, and its link (or a later one) must still lead in or have been spent.
      if (!user.resetAsked) verdict.lost.push(`${user.email}: created with success, cannot log in`);
      else if (resetMails.length === 0) verdict.lost.push(`${user.email}: password replaced and no mail`);
      else if (!(await leadsIn(resetMails, client)))
        verdict.lost.push(`${user.email}: neither a password nor a link works`);
    }
    if (user.created === 'refused' && works.length > 0)
      verdict.unexpected.push(`${user.email}: refused, yet it exists`);
    if (works.length > 1) verdict.unexpected.push(`${user.email}: two passwords work`);
    const distinct = new Set(resetMails.map((mail) => mail.messageId)).size;
    if (distinct < user.mailsOwed) verdict.lost.push(`${user.email}: ${user.mailsOwed} mails owed, ${distinct} came`);
    if (distinct > 0 && !user.resetAsked) verdict.unexpected.push(`${user.email}: a reset mail nobody asked for`);
    for (const token of user.spentTokens) {
      const again = await client().post('/change-password', { ...token, password: 'spent tokens open nothing' });
      if (again.status !== 400) verdict.tokensReused.push(`${user.email}: ${again.status}`);
    }
  }
}

/** Does one of the mailed links set a password that then logs in? */
async function leadsIn(mails: readonly SunkMail[], client: () => ApiClient): Promise<boolean> {
  for (const mail of mails) {
    const password = 'found the way back in';
    const changed = await client().post('/change-password', {
      ...resetLinkOf({ ...mail, id: '', html: '' }),
      password,
    });
    if (changed.status === 200) return (await client().post('/login', { email: mail.to, password })).status === 200;
  }
  return false;
}

/**
 * A mail may come again, with the Message-ID it had, only when the process that sent it died before it could note that: one more copy for one death, at
 * most. Copies without a death in between are wrong, and so is a mail without a Message-ID.
 */
function copiesOf(
  mails: readonly SunkMail[],
  deaths: readonly number[],
): { extraCopies: number; wrongCopies: string[] } {
  const times = new Map<string, number[]>();
  for (const { messageId, at } of mails) times.set(messageId, [...(times.get(messageId) ?? []), at]);
  const diedBetween = (from: number, to: number) => deaths.some((death) => from < death && death < to);
  return {
    extraCopies: [...times.values()].reduce((sum, copies) => sum + copies.length - 1, 0),
    wrongCopies: [...times].flatMap(([id, copies]) =>
      id !== '' && copies.every((at, index) => index === 0 || diedBetween(copies[index - 1] as number, at)) ? [] : [id],
    ),
  };
}
