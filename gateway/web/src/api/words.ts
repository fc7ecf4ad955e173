import type { Fault } from '@latchkey/contracts';
import type { Refusal, RefusalCode } from './refusal.js';
import { waitInWords } from './wait-in-words.js';

/** A sentence for every code of the closed list, for when the API has nothing more exact to say. */
const sentences: Record<RefusalCode, string> = {
  offline: 'The service cannot be reached. Check your connection and try again.',
  unreadable: 'The service gave an answer that this page does not understand. Please try again in a moment.',
  incomplete: 'Please fill in the marked fields.',
  'malformed-json': 'The request could not be read. Load the page again and retry.',
  'validation-failed': 'Please check what you entered.',
  'reset-token-invalid': 'This link is expired or already used.',
  'link-invalid': 'This link is expired or already used.',
  'webhook-signature-invalid': 'The signature of the payment provider is not valid.',
  'session-required': 'Your session has ended. Please log in again.',
  'credentials-rejected': 'The email or the password is wrong.',
  'service-token-rejected': 'A part of the service refused to work with another. Please tell your administrator.',
  forbidden: 'Your account may not do this.',
  'cross-site-request': 'The request seemed to come from another site and was refused. Load the page again and retry.',
  'not-found': 'There is nothing here any more.',
  'method-not-allowed': 'This cannot be done here. Load the page again and retry.',
  'request-timeout': 'The request took too long to arrive. Please try again.',
  'email-taken': 'Another account has this email.',
  'reset-pending':
    'A password reset is under way for this account. Use the link that was mailed, or wait until it has expired.',
  'last-admin': 'This is the last active administrator, and one must stay.',
  'billing-open': 'There is billing that is still open. Settle or cancel it first.',
  'not-replayable': 'This cannot be sent or handled again.',
  'body-too-large': 'That is too much text.',
  'unsupported-media-type': 'The request could not be read. Load the page again and retry.',
  'rate-limited': 'Too many attempts.',
  'internal-error': 'Something went wrong on our side. Please try again.',
  'provider-failed': 'The payment provider gave no usable answer. Nothing was charged; please try again.',
  'provider-unavailable': 'The payment provider cannot be reached. Nothing was charged; please try again in a moment.',
  overloaded: 'The service is very busy. Please try again in a moment.',
  'creation-in-progress': 'Somebody is creating this account right now. Please try again in a moment.',
  'service-unavailable': 'A part of the service is not available right now. Please try again in a moment.',
};

/** What to tell a person: the API's own words where it has something particular to say, else the sentence of the code; on a 429 how long to wait. */
export function refusalInWords(refusal: Refusal): string[] {
  const { code, problem } = refusal;
  if (code === 'rate-limited') return [`${sentences[code]} ${waitInWords(problem.retry_after)}`];
  if (problem.errors && problem.errors.length > 0) return problem.errors.map(faultInWords);
  const { detail, title } = problem;
  return [detail !== undefined && detail !== '' && detail !== title ? sentence(detail) : sentences[code]];
}

/** A message that has no subject of its own (`must be …`) gets its field's name: `body.first_name` is the first name. */
function faultInWords({ path, message }: Fault): string {
  const field = path.replace(/^\w+\./, '').replaceAll('_', ' ');
  return sentence(/^[a-z]/.test(message) ? `${field} ${message}` : message);
}

/** Begins with a capital, ends with a full stop. */
function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
