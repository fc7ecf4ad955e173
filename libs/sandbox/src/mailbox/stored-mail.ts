import PostalMime from 'postal-mime';

/** What the list shows of a mail. */
export interface MailSummary {
  readonly id: string;
  readonly from: string;
  /** Whom it was delivered to; a mail to several is stored once for each. */
  readonly to: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly messageId: string | null;
  /** Web addresses in its text, each once, in their order. */
  readonly links: readonly string[];
}

export interface StoredMail extends MailSummary {
  readonly text: string;
  readonly html: string | null;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** Mails of an attacker's making must not make the list unbounded. */
const maxLinks = 50;

/** Reads a stored mail. `raw` begins with the headers that `withEnvelope` put before it. */
export async function parseMail(id: string, receivedAt: Date, raw: Uint8Array): Promise<StoredMail> {
  const email = await PostalMime.parse(raw);
  const text = email.text ?? '';
  return {
    id,
    from: email.from?.address ?? '',
    // The first one is ours; a mail may bring others along.
    to: email.headers.find(({ key }) => key === 'delivered-to')?.value ?? '',
    subject: email.subject ?? '',
    receivedAt: receivedAt.toISOString(),
    messageId: email.messageId ?? null,
    links: linksIn(text),
    text,
    html: email.html ?? null,
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
  };
}

function linksIn(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"']+/g) ?? [];
  return [...new Set(found.map((link) => link.replace(/[.,;:!?)\]]+$/, '')))].slice(0, maxLinks);
}

/** The mail as it is stored: what the SMTP dialogue said stands before it, as every mail server does (RFC 5321 §4.4). */
export function withEnvelope(mail: Uint8Array, from: string, to: string): Buffer {
  return Buffer.concat([Buffer.from(`Return-Path: <${oneLine(from)}>\r\nDelivered-To: ${oneLine(to)}\r\n`), mail]);
}

function oneLine(address: string): string {
  return address.replace(/\s+/g, '');
}
