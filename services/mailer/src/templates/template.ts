import type { MailTemplate } from '@latchkey/contracts';
import type { Links } from '../domain/links.js';
import type { Texts } from '../texts/texts.js';

/** A settled checkout. Amounts are in the currency's smallest unit. */
export interface PurchaseData {
  checkoutId: string;
  name: string;
  currency: string;
  amount: number;
  items: { description: string; quantity: number; amount: number }[];
  settledAt: string;
}

/** What each template is filled with. Moments are ISO 8601. No secret is here: those are unsealed when the mail is composed. */
export interface MailData {
  'password-reset': { name: string; requestedAt: string; requestedFrom: string | null; expiresAt: string };
  'password-changed': { name: string; changedAt: string; changedFrom: string | null };
  invitation: { name: string; requestedAt: string; expiresAt: string };
  'email-confirmation': { name: string; requestedAt: string; expiresAt: string };
  'email-changed': { name: string; changedAt: string };
  receipt: PurchaseData;
  'payment-failed': PurchaseData;
}

/** The product as mails show it. */
export interface Brand {
  readonly name: string;
  /** `#rrggbb`. */
  readonly color: string;
  /** Address of a logo. The one thing in a mail that is loaded from elsewhere, and only when the operator wants it. */
  readonly logo: string | null;
}

/** Unsealed secrets of a mail's links. Never stored, never logged. */
export interface LinkSecrets {
  readonly token?: string | undefined;
  readonly disownToken?: string | undefined;
}

export interface Composing {
  readonly texts: Texts;
  readonly brand: Brand;
  readonly links: Links;
  /** null: of nobody who has an account (a receipt). */
  readonly userId: number | null;
  readonly secrets: LinkSecrets;
}

export interface Row {
  readonly label: string;
  readonly value: string;
  readonly sum?: boolean;
}

/** A mail's content, before it becomes text and html. */
export interface Content {
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  /** Facts as rows of a table. */
  readonly rows?: readonly Row[];
  readonly action?: { readonly label: string; readonly url: string };
  readonly notes: readonly string[];
  readonly aside?: { readonly text: string; readonly label: string; readonly url: string };
}

/** One kind of mail: typed data in, subject and content out. The subject never holds a secret: the delivery log shows it. */
export interface Template<T extends MailTemplate> {
  subject(data: MailData[T], texts: Texts, brand: Brand): string;
  content(data: MailData[T], composing: Composing): Content;
}

/** Something that a link cannot do without. */
export function required<V>(value: V | null | undefined, what: string): V {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}
