import { stdSerializers } from 'pino';

const REDACTED = '[redacted]';
const DEPTH_LIMIT = 8;

/** Field names whose value is a secret, wherever they stand (S12, S26): password, current_password, reset_token, set-cookie, sealedToken … */
const secretName =
  /pass(?:word|wd|phrase)|token|secret|cookie|authorization|signature|^sealed|pepper|private_?key|api_?key|hash$/i;

/** What a secret looks like inside other text: a bcrypt hash, a JWT, a sealed text, a link's token, the password in a URL. */
const secretText = [
  [/\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}/g, REDACTED],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, REDACTED],
  [/\bv1\.[\w-]{8}\.[\w-]{16}\.[\w-]+/g, REDACTED],
  [/\b((?:reset|disown|confirm)_token(?:=|%3D))[^&\s"\\]+/gi, `$1${REDACTED}`],
  [/(:\/\/[^\s:/@"]*:)[^\s/@"]+@/g, `$1${REDACTED}@`],
] as const;

/** `"password":"…"` and the like in a finished line of JSON: catches what came with a child logger. */
const secretField =
  /("[\w-]*(?:password|token|secret|cookie|authorization|signature|pepper)[\w-]*":)(?:"(?:[^"\\]|\\.)*"|\[(?:"(?:[^"\\]|\\.)*",?)*\])/gi;

/** A copy of `value` without the values of secret fields, at any depth. Errors become plain objects with their stack and causes. */
export function redactFields(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= DEPTH_LIMIT) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redactFields(item, depth + 1));
  if (value instanceof Map || value instanceof Set) return redactFields([...value], depth);
  const fields = (value instanceof Error ? withoutRaw(stdSerializers.err(value)) : value) as Record<string, unknown>;
  const clean: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    const secret = field !== null && typeof field !== 'boolean' && isSecretName(name);
    clean[name] = secret ? REDACTED : typeof field === 'object' ? redactFields(field, depth + 1) : field;
  }
  return clean;
}

/** The serializer keeps the error itself beside its copy. */
function withoutRaw({ raw: _raw, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return fields;
}

/** Names come again with every line; the memory of them is bounded, since some are made of what clients send. */
const verdicts = new Map<string, boolean>();

function isSecretName(name: string): boolean {
  let verdict = verdicts.get(name);
  if (verdict === undefined) {
    verdict = secretName.test(name);
    if (verdicts.size < 1000) verdicts.set(name, verdict);
  }
  return verdict;
}

/** The last look at a finished line. */
export function redactLine(line: string): string {
  let clean = line.replace(secretField, `$1"${REDACTED}"`);
  for (const [pattern, replacement] of secretText) clean = clean.replace(pattern, replacement);
  return clean;
}
