import { html, type Markup } from '../markup.js';
import type { MailSummary, StoredMail } from './stored-mail.js';

function page(base: string, title: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${base}/mailbox.css">
<script src="${base}/mailbox.js" defer></script>
</head>
<body>
<header><a class="brand" href="${base}/"><span class="mark" aria-hidden="true"></span>Mailbox</a>
<p>Mails that the service sends arrive here. None of them leaves this machine.</p></header>
${body}
</body>
</html>
`.text;
}

function time(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** Every mail, newest first. */
export function listPage(base: string, mails: readonly MailSummary[]): string {
  const row = (mail: MailSummary) => html`<li><a href="${base}/${mail.id}">
<span class="subject">${mail.subject || '(no subject)'}</span>
<span class="to">${mail.to}</span>
<span class="from">from ${mail.from}</span>
${time(mail.receivedAt)}</a></li>`;
  const list = html`<ol class="mails">${mails.map(row)}</ol>`;
  const empty = html`<p class="empty">No mail yet. Ask for a password reset, and it will appear here by itself.</p>`;
  const title = mails.length === 0 ? 'Mailbox' : `Mailbox (${mails.length})`;
  return page(
    base,
    title,
    html`<main data-live><div class="bar"><h1>${mails.length === 1 ? '1 mail' : `${mails.length} mails`}</h1>
${mails.length === 0 ? '' : html`<button type="button" data-clear="${base}/api/mails">Delete all</button>`}</div>
${mails.length === 0 ? empty : list}</main>`,
  );
}

/** One mail: its links, its text or html, its headers. */
export function mailPage(base: string, mail: StoredMail): string {
  const link = (url: string) => html`<li><a href="${url}" target="_blank" rel="noopener noreferrer">${url}</a></li>`;
  const header = ({ name, value }: { name: string; value: string }) => html`<dt>${name}</dt><dd>${value}</dd>`;
  const frame = html`<iframe title="The mail" src="${base}/${mail.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
  const text = html`<pre>${mail.text}</pre>`;
  return page(
    base,
    mail.subject || 'Mail',
    html`<main><p><a href="${base}/">All mails</a></p>
<h1>${mail.subject || '(no subject)'}</h1>
<dl class="envelope"><dt>To</dt><dd>${mail.to}</dd><dt>From</dt><dd>${mail.from}</dd><dt>Received</dt><dd>${time(mail.receivedAt)}</dd></dl>
${mail.links.length === 0 ? '' : html`<section class="links"><h2>Links</h2><ul>${mail.links.map(link)}</ul></section>`}
${mail.html === null ? text : frame}
${mail.html === null ? '' : html`<details><summary>Plain text</summary>${text}</details>`}
<details><summary>Headers</summary><dl class="headers">${mail.headers.map(header)}</dl><p><a href="${base}/${mail.id}/raw">Source</a></p></details></main>`,
  );
}

export function missingPage(base: string, reason: string): string {
  return page(base, 'Mailbox', html`<main><h1>${reason}</h1><p><a href="${base}/">All mails</a></p></main>`);
}

/** A mail's own html for the frame, with a `base` by which its links open in a new tab. */
export function mailBody(mail: StoredMail): string {
  const target = '<base target="_blank">';
  const source = mail.html ?? html`<pre>${mail.text}</pre>`.text;
  return /<head[^>]*>/i.test(source) ? source.replace(/<head[^>]*>/i, (head) => head + target) : target + source;
}
