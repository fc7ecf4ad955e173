import { z } from 'zod';

/**
 * The closed list of refusals: `code` → HTTP status and title. A problem document (RFC 9457) carries the code, and its `type`
 * is `/errors/<code>`. Clients may rely on the code and the status; `detail` is for people and may change.
 */
export const errorCodes = {
  'malformed-json': { status: 400, title: 'The body is not valid JSON' },
  'validation-failed': { status: 400, title: 'The request is not valid' },
  'reset-token-invalid': { status: 400, title: 'The reset link is expired or already used' },
  'link-invalid': { status: 400, title: 'The link is expired or already used' },
  'webhook-signature-invalid': { status: 400, title: 'The webhook’s signature is not valid' },
  'session-required': { status: 401, title: 'A valid session is required' },
  'credentials-rejected': { status: 401, title: 'The email or the password is wrong' },
  'service-token-rejected': { status: 401, title: 'The service token is missing or not valid' },
  forbidden: { status: 403, title: 'You may not do this' },
  'cross-site-request': { status: 403, title: 'A request from another site was refused' },
  'not-found': { status: 404, title: 'There is no such resource' },
  'method-not-allowed': { status: 405, title: 'This path does not support that method' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'email-taken': { status: 409, title: 'Another user has this email' },
  'reset-pending': { status: 409, title: 'A password reset is pending' },
  'last-admin': { status: 409, title: 'The last active admin must stay' },
  'billing-open': { status: 409, title: 'Billing of this user is still open' },
  'not-replayable': { status: 409, title: 'This cannot be replayed' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body must be application/json' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'internal-error': { status: 500, title: 'Something went wrong on our side' },
  'provider-failed': { status: 502, title: 'The payment provider gave no usable answer' },
  'provider-unavailable': { status: 503, title: 'The payment provider cannot be reached' },
  overloaded: { status: 503, title: 'The service is too busy' },
  'creation-in-progress': { status: 503, title: 'Another request is creating this user' },
  'service-unavailable': { status: 503, title: 'A part of the service is unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** One fault of a request: `path` is dotted (`body.email`, `query.limit`). */
export const fault = z.object({ path: z.string(), message: z.string() });
export type Fault = z.output<typeof fault>;

/** `application/problem+json` (RFC 9457), with the extension members `code`, `request_id`, `errors` and, on a 429, `limit` and `retry_after` (seconds). */
export const problemDocument = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
  request_id: z.string(),
  errors: z.array(fault).optional(),
  limit: z.string().optional(),
  retry_after: z.int().optional(),
});
export type ProblemDocument = z.output<typeof problemDocument>;
