/**
 * An address as the reset's answer shows it: first character and stars, in the local part and in the domain's first label, each with at
 * least three stars; the rest of the domain is kept. `jane@example.com` → `j***@e******.com`. A pure function of what the client sent.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [label = '', ...rest] = email.slice(at + 1).split('.');
  return `${mask(email.slice(0, at))}@${[mask(label), ...rest].join('.')}`;
}

function mask(text: string): string {
  const [first = '', ...hidden] = text;
  return first + '*'.repeat(Math.max(3, hidden.length));
}
