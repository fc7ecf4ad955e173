import type { Step } from '@latchkey/kit';

/** Two years, the value that browsers' preload lists ask for; at least one is required (S72). */
const strictTransport = 'max-age=63072000; includeSubDomains';

/** What an answer that is no page may do in a browser: nothing (S57, S72). Pages replace the policy by their own. */
const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Set before anything else runs, so that refusals carry them too. `https`: as PUBLIC_URL says. */
export function securityHeaders(options: { https: boolean }): Step {
  const headers = Object.entries({
    ...always,
    ...(options.https && { 'strict-transport-security': strictTransport }),
  });
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
