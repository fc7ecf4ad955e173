import { type ErrorCode, errorCodes, type ProblemDocument } from './errors.js';

/** What a refusal means and what to do about it, for people. `example`: members of its problem document beside the ones that every problem has. */
export interface ErrorExplanation {
  readonly meaning: string;
  readonly remedy: string;
  readonly example?: Partial<Pick<ProblemDocument, 'detail' | 'errors' | 'limit' | 'retry_after'>>;
}

/** One for each code of the closed list: the text of the page that a problem's `type` points to. */
export const errorExplanations: Readonly<Record<ErrorCode, ErrorExplanation>> = {
  'malformed-json': {
    meaning: 'The body was announced as JSON but cannot be parsed as JSON in UTF-8.',
    remedy: 'Send valid JSON. Nothing was changed.',
  },
  'validation-failed': {
    meaning:
      'A part of the request is missing, has the wrong form, or is not known. `errors` names each fault by its path: `body.email`, `query.limit`, `params.id`.',
    remedy: 'Correct every field that `errors` names and send the request again. Unknown fields are refused too.',
    example: { errors: [{ path: 'body.email', message: 'Invalid email address' }] },
  },
  'reset-token-invalid': {
    meaning:
      'The token of this reset link is not known for this user, has expired, or was used already. All of these have the same answer.',
    remedy: 'Ask for a new link with `POST /reset-password`; the newest mail holds the newest link.',
  },
  'link-invalid': {
    meaning: 'The secret of a mailed link is not known, has expired, or was used already.',
    remedy: 'Ask for the mail again. If you wanted to take back a reset, log in or reset the password instead.',
  },
  'webhook-signature-invalid': {
    meaning:
      'The signature of the payment provider is missing, does not fit the body byte for byte, or is older than five minutes.',
    remedy:
      'Compare `STRIPE_WEBHOOK_SECRET` with the provider’s dashboard, look that no proxy changes the body, and that the clock is right.',
  },
  'session-required': {
    meaning: 'There is no session cookie, or its session has ended, expired or is not ours.',
    remedy: 'Log in with `POST /login` and send the cookie along.',
  },
  'credentials-rejected': {
    meaning:
      'Email and password do not fit together. Unknown, wrong and deleted have one answer, so that nobody can find out who has an account.',
    remedy: 'Try again, or reset the password with `POST /reset-password`.',
  },
  'service-token-rejected': {
    meaning: 'A service called another one without a valid service token. Clients of the gateway never see this.',
    remedy: 'Give all services the same `SERVICE_SECRET`, and see that their clocks agree.',
  },
  forbidden: {
    meaning: 'The session is valid, but its user may not do this: it is for admins, or concerns another user.',
    remedy: 'Ask an admin. A user whose role has changed must log in again.',
  },
  'cross-site-request': {
    meaning: 'A browser sent this from a page of another site, which could be somebody else acting in your name.',
    remedy: 'Call from pages of `PUBLIC_URL`, or add your front end’s origin to `ALLOWED_ORIGINS`.',
  },
  'not-found': {
    meaning: 'There is no such path, or no such user, checkout, mail, event or session (any more).',
    remedy: 'Check the address. Deleted users are shown with `?deleted=true` only.',
  },
  'method-not-allowed': {
    meaning: 'The path exists, the method does not. The `Allow` header names the ones that do.',
    remedy: 'Use a method that `Allow` names.',
  },
  'request-timeout': {
    meaning: 'The request took too long to arrive.',
    remedy: 'Send it again over a better connection.',
  },
  'email-taken': {
    meaning: 'Another user who is not deleted has this email; upper and lower case make no difference.',
    remedy: 'Choose another email, or find the user with `GET /user?q=…`.',
  },
  'reset-pending': {
    meaning: 'A password reset is under way, so the current password cannot prove a change.',
    remedy: 'Use the mailed reset link, or let it expire.',
  },
  'last-admin': {
    meaning: 'This would leave the system without an active admin.',
    remedy: 'Make another user an admin first.',
  },
  'billing-open': {
    meaning: 'The user still has subscriptions or payments under way, and `BILLING_ON_DELETE` is `refuse`.',
    remedy: 'Settle or cancel them with the payment provider, then delete the user.',
  },
  'not-replayable': {
    meaning: 'It cannot be done again in its present state: it is still on its way, or has no need of it.',
    remedy: 'Look at its state; `detail` says what stands in the way.',
    example: { detail: 'The mail is still on its way' },
  },
  'body-too-large': {
    meaning: 'The body is larger than this operation takes (`BODY_LIMIT`, 100 kB by default; 256 kB for webhooks).',
    remedy: 'Send less.',
  },
  'unsupported-media-type': {
    meaning: 'The body is not announced as `application/json` in UTF-8, or is compressed.',
    remedy: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  'rate-limited': {
    meaning: 'Too many requests in a short time. `limit` names the limit that was reached.',
    remedy: 'Wait as many seconds as `Retry-After` says. A limit delays and never locks anybody out for good.',
    example: { limit: 'requests-per-address', retry_after: 30 },
  },
  'internal-error': {
    meaning: 'A fault of ours. What exactly went wrong is in the log, under the request id.',
    remedy: 'Try again; if it stays, give the request id to whoever runs the service.',
  },
  'provider-failed': {
    meaning: 'The payment provider answered, but with an error that we cannot use.',
    remedy: 'Try again later. Whoever runs the service finds the cause in the log, under the request id.',
  },
  'provider-unavailable': {
    meaning: 'The payment provider cannot be reached or does not answer in time.',
    remedy: 'Try again after `Retry-After` seconds. Nothing was charged.',
    example: { retry_after: 5 },
  },
  overloaded: {
    meaning: 'More passwords wait to be checked than can be checked soon.',
    remedy: 'Try again after `Retry-After` seconds.',
    example: { retry_after: 1 },
  },
  'creation-in-progress': {
    meaning: 'Another request is creating a user with this email at this moment.',
    remedy: 'Try again after `Retry-After` seconds; then the answer is clear.',
    example: { retry_after: 1 },
  },
  'service-unavailable': {
    meaning: 'A part of the system, its database or its queue is away or starting.',
    remedy: 'Try again after `Retry-After` seconds. `GET /health` says which part it is.',
    example: { retry_after: 5 },
  },
};

/** A whole problem document of this code, as a client would receive it. */
export function exampleProblem(code: ErrorCode): ProblemDocument {
  const { status, title } = errorCodes[code];
  return {
    type: `/errors/${code}`,
    title,
    status,
    detail: title,
    code,
    request_id: '4f1d2c3b5a6978879600aabbccddeeff',
    ...errorExplanations[code].example,
  };
}
