import { html, type Markup } from '../markup.js';
import { formatAmount } from './format-amount.js';
import type { Customer, LineItem, Session } from './objects.js';

/** The hosted payment page. Plain forms, no script. */
export function paymentPage(o: {
  session: Session;
  items: readonly LineItem[];
  customer?: Customer;
  base: string;
  fault?: string;
}): string {
  const { session, items, base } = o;
  const total = formatAmount(session.amount_total, session.currency);
  return page(
    base,
    `Pay ${total}`,
    html`<h1><span class="soft">Pay</span> ${total}</h1>
      <ul class="items">${items.map(itemRow)}</ul>
      <form method="post" action="${base}/pay/${session.id}">
        ${o.fault === undefined ? '' : html`<p role="alert">${o.fault}</p>`}
        <label for="email">Email</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${emailOf(session, o.customer)}">
        <div class="buttons">
          <button class="primary" name="action" value="pay">Pay</button>
          <button name="action" value="pay-later">Pay later</button>
          <button name="action" value="decline">Decline</button>
          <button name="action" value="cancel" formnovalidate>Cancel</button>
        </div>
      </form>
      <dl class="hints">
        <dt>Pay later</dt><dd>a payment that takes a while and then succeeds</dd>
        <dt>Decline</dt><dd>a payment that is refused in the end</dd>
        <dt>Cancel</dt><dd>back to the shop; this page stays open</dd>
      </dl>`,
  );
}

function itemRow(item: LineItem): Markup {
  const { recurring } = item.price;
  const every =
    recurring === null
      ? ''
      : `, every ${recurring.interval_count > 1 ? `${recurring.interval_count} ${recurring.interval}s` : recurring.interval}`;
  return html`<li><span>${item.description}<small>${`${item.quantity} × ${formatAmount(item.price.unit_amount, item.currency)}${every}`}</small></span>
    <strong>${formatAmount(item.amount_total, item.currency)}</strong></li>`;
}

/** Somebody who only wants to see a payment need not type. */
function emailOf(session: Session, customer: Customer | undefined): string {
  return session.customer_email ?? customer?.email ?? 'buyer@example.com';
}

export function closedPage(base: string, session: Session | undefined): string {
  const reason =
    session === undefined
      ? 'There is no such payment page.'
      : session.status === 'complete'
        ? 'This payment page has been used already.'
        : 'This payment page has expired.';
  const back = session?.status === 'complete' ? session.success_url : session?.cancel_url;
  return page(
    base,
    'Payment page',
    html`<h1>${reason}</h1>${back ? html`<p><a href="${back}">Back to the shop</a></p>` : ''}`,
  );
}

function page(base: string, title: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – payment simulator</title>
<link rel="stylesheet" href="${base}/style.css">
</head>
<body>
<main>
<p class="note">Payment simulator: no money moves.</p>
${body}
</main>
</body>
</html>`.text;
}
