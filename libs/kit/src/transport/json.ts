import { isUtf8 } from 'node:buffer';
import { Problem } from '../problem.js';

/** Cheap test first: only a text that may hold the key is searched for it. */
const maybePolluting = /__proto__|\\u/;

/** Parses a JSON text. Throws `malformed-json`, or `validation-failed` for a `__proto__` key anywhere, which no schema can see reliably (S69). */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('malformed-json');
  }
  if (maybePolluting.test(text)) refuseProto(value);
  return value;
}

/** Same from bytes, which must be UTF-8 without a byte order mark (RFC 8259 §8.1). */
export function parseJsonBytes(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Problem('malformed-json', { detail: 'The body is not valid UTF-8' });
  // Buffer keeps a byte order mark as a character, which JSON.parse refuses.
  return parseJson(bytes.toString('utf8'));
}

/** Iterative: a body nested ten thousand deep must not exhaust the stack. */
function refuseProto(root: unknown): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__'))
      throw new Problem('validation-failed', { errors: [{ path: 'body.__proto__', message: 'is not a known field' }] });
    for (const child of Object.values(value)) pending.push(child);
  }
}
