import { eventually } from './eventually.js';

export interface ReceivedMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly text: string;
  readonly html: string;
}

/** What a person sees in the built-in mailbox, through its JSON interface. */
export class Mailbox {
  constructor(readonly url: string) {}

  /** Every mail to `address`, oldest first. */
  async to(address: string): Promise<ReceivedMail[]> {
    const response = await fetch(`${this.url}/api/mails?to=${encodeURIComponent(address)}`);
    const { mails } = (await response.json()) as { mails: { id: string }[] };
    const whole = await Promise.all(
      mails.map(async ({ id }) => (await fetch(`${this.url}/api/mails/${encodeURIComponent(id)}`)).json()),
    );
    return (whole as { mail: ReceivedMail }[]).map(({ mail }) => mail).reverse();
  }

  /** Waits until `count` mails to `address` whose subject matches have come; gives the last one. */
  async waitFor(address: string, subject: RegExp, count = 1): Promise<ReceivedMail> {
    return eventually(`mail ${count} to ${address} about ${subject}`, async () => {
      const mails = (await this.to(address)).filter((mail) => subject.test(mail.subject));
      return mails.length >= count ? mails.at(-1) : undefined;
    });
  }
}

export interface ResetLink {
  readonly reset_token: string;
  readonly user_id: number;
}

/** The reset or invitation link of a mail, as a change-password body needs it. */
export function resetLinkOf(mail: ReceivedMail): ResetLink {
  const found = /https?:\/\/\S+[?&]reset_token=([0-9a-f]+)&user_id=(\d+)/.exec(mail.text);
  if (!found) throw new Error(`No reset link in: ${mail.text}`);
  return { reset_token: found[1] as string, user_id: Number(found[2]) };
}
