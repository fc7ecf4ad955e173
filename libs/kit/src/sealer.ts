import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals short texts (tokens, hashes) for storage and for the queue. */
export interface Sealer {
  /** `purpose` is bound to the result: only the same purpose unseals it. */
  seal(plain: string, purpose: string): string;
  /** Throws `SealError` for anything that `seal` did not make with one of the keys and this purpose. */
  unseal(sealed: string, purpose: string): string;
}

export class SealError extends Error {
  override readonly name = 'SealError';
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

function derive(secret: string): Key {
  const expand = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, '', info, length));
  return { id: expand('latchkey sealing key id', 6).toString('base64url'), bytes: expand('latchkey sealing key', 32) };
}

/** AES-256-GCM with keys derived from `secrets`: the first seals, all unseal. Form: `v1.<key id>.<nonce>.<ciphertext and tag>`. */
export function createSealer(secrets: readonly string[]): Sealer {
  const keys = secrets.map(derive);
  const [sealing] = keys;
  if (sealing === undefined) throw new SealError('A sealer needs at least one key');
  return {
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing.bytes, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${sealing.id}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
    },
    unseal(sealed, purpose) {
      const [version, id, nonce, content, ...rest] = sealed.split('.');
      const key = keys.find((candidate) => candidate.id === id);
      if (version !== 'v1' || nonce === undefined || content === undefined || rest.length > 0)
        throw new SealError('This is not a sealed text');
      if (key === undefined) throw new SealError('This was sealed with a key that is not known');
      try {
        return open(key.bytes, Buffer.from(nonce, 'base64url'), Buffer.from(content, 'base64url'), purpose);
      } catch (cause) {
        throw new SealError('This was altered or sealed for another purpose', { cause });
      }
    },
  };
}

function open(key: Buffer, nonce: Buffer, content: Buffer, purpose: string): string {
  if (nonce.length !== NONCE_BYTES || content.length < TAG_BYTES) throw new SealError('This is cut short');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(content.subarray(-TAG_BYTES));
  return decipher.update(content.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
