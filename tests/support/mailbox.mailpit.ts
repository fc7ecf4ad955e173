import { Mailbox, type ReceivedMail } from './mailbox.js';

interface Found {
  readonly messages: readonly { readonly ID: string }[];
}

interface Message {
  readonly ID: string;
  readonly MessageID: string;
  readonly Subject: string;
  readonly To: readonly { readonly Address: string }[];
  readonly Text: string;
  readonly HTML: string;
}

/** What Mailpit received, through its JSON interface. */
export class MailpitMailbox extends Mailbox {
  override async to(address: string): Promise<ReceivedMail[]> {
    const { messages } = await this.#get<Found>(`search?limit=200&query=${encodeURIComponent(`to:"${address}"`)}`);
    const whole = await Promise.all(messages.map(({ ID }) => this.#get<Message>(`message/${encodeURIComponent(ID)}`)));
    return whole
      .map((message) => ({
        id: message.ID,
        to: message.To.map(({ Address }) => Address).join(', '),
        subject: message.Subject,
        messageId: `<${message.MessageID}>`,
        text: message.Text,
        html: message.HTML,
      }))
      .reverse();
  }

  async #get<T>(path: string): Promise<T> {
    return (await fetch(`${this.url}/api/v1/${path}`)).json() as Promise<T>;
  }
}
