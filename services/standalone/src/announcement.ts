import type { FirstAdmin } from './first-admin.js';

export interface Addresses {
  readonly url: string;
  readonly publicUrl: string;
  /** Whether the gateway serves pages (PAGES). */
  readonly pages: boolean;
  /** The built-in mailbox's page; undefined when mails go to SMTP_URL. */
  readonly mailboxUrl: string | undefined;
  /** The built-in Stripe simulator; undefined when STRIPE_SECRET_KEY is set. */
  readonly simulatorUrl: string | undefined;
}

/** What `npm start` ends with: where to go. `admin` only when it was just created with a password made here. */
export function announcement(
  addresses: Addresses,
  admin: FirstAdmin | undefined,
  parts: { database: string; queue: string },
): string {
  const rows: [string, string][] = [
    ['Gateway', addresses.publicUrl],
    ['Its interface', `${addresses.publicUrl}/docs`],
    ...(addresses.pages ? ([['Administration', `${addresses.publicUrl}/admin`]] as [string, string][]) : []),
    ['Health', `${addresses.publicUrl}/health`],
    ...(addresses.mailboxUrl ? ([['Mailbox', addresses.mailboxUrl]] as [string, string][]) : []),
    ...(addresses.simulatorUrl ? ([['Payments', `simulated at ${addresses.simulatorUrl}`]] as [string, string][]) : []),
    ['Database', parts.database],
    ['Queue', parts.queue],
  ];
  if (admin) {
    rows.push(['First admin', admin.email]);
    if (admin.made) rows.push(['Its password', `${admin.password}   (shown this once)`]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    '',
    'Latchkey is running.',
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    '',
  ].join('\n');
}
