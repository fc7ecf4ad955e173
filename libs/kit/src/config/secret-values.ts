import { createPrivateKey } from 'node:crypto';
import { parsed } from './setting.js';
import { list } from './values.js';

/** Secrets shorter than this are refused in production (S44). */
export const SECRET_MIN_BYTES = 32;

/** One or more secrets, separated by commas or line ends: the first is used for new values, all are accepted (rotation, S44). */
export const secretList = list('one or more secrets, comma-separated', () => true, /[,\n]/);

/** Words that samples and documentation use; eight random characters never spell one. */
const sampleWords =
  /change[-_ ]?me|change[-_ ]?this|replace[-_ ]?me|place[-_ ]?holder|insecure|example|password|latchkey|not[-_ ]?a[-_ ]?secret|your[-_ ]|(my|super)[-_ ]?secret|12345678|abcdefgh/i;

/** Why these secrets may not guard anything real, or `null` (S25, S44). */
export function weakness(secrets: readonly string[]): string | null {
  if (secrets.some((secret) => Buffer.byteLength(secret) < SECRET_MIN_BYTES))
    return `must have at least ${SECRET_MIN_BYTES} bytes`;
  if (secrets.some((secret) => sampleWords.test(secret) || new Set(secret).size < 8))
    return 'is a sample value: make a random one';
  return null;
}

const pemBlock = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]+?-----END \1PRIVATE KEY-----/g;

function isP256(pem: string): boolean {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/** One or more PEM private keys on P-256, one after the other; line ends may be written as `\n`. */
export const privateKeys = parsed<readonly string[]>('one or more PEM EC private keys on P-256', (value) => {
  const pem = value.replaceAll('\\n', '\n');
  const keys = pem.match(pemBlock) ?? [];
  const rest = pem.replace(pemBlock, '').replace(/[\s,]/g, '');
  return keys.length > 0 && rest === '' && keys.every(isP256) ? keys.map((key) => `${key}\n`) : undefined;
});
