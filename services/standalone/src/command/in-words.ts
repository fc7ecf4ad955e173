import type { Problem } from '@latchkey/kit';

/** A service's refusal, with every reason that it gave. */
export function inWords({ message, code, errors = [] }: Problem): string {
  const reasons = errors.map((fault) => `\n  ${fault.path.replace(/^(body|params|query)\./, '')} ${fault.message}`);
  return `${message} (${code})${reasons.join('')}`;
}
