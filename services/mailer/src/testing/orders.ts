import { createHash, randomBytes } from 'node:crypto';
import { passwordChanged, passwordResetRequested } from '@latchkey/contracts';
import { sealer, type TestMailer } from './start-mailer.js';

/** Asks for a reset mail, as auth does. The link works for `lifetime` seconds. */
export async function orderReset(
  mailer: TestMailer,
  options: { to?: string; lifetime?: number; id?: string; languages?: string; withNotAfter?: boolean } = {},
) {
  const token = randomBytes(32).toString('hex');
  const disownToken = randomBytes(32).toString('hex');
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const expiresAt = mailer.inSeconds(options.lifetime ?? 1800);
  const sealedToken = sealer.seal(token, 'reset-token');
  const payload = {
    userId: 7,
    to: options.to ?? 'ada@example.org',
    name: 'Ada',
    languages: options.languages ?? null,
    sealedToken,
    sealedDisownToken: sealer.seal(disownToken, 'disown-token'),
    expiresAt,
    requestedAt: mailer.inSeconds(0),
    requestedFrom: '203.0.113.7',
    tokenHash,
  };
  const id = await mailer.publish(passwordResetRequested, payload, {
    ...(options.withNotAfter !== false && { notAfter: expiresAt }),
    ...(options.id && { id: options.id }),
  });
  return { id, token, disownToken, tokenHash, sealedToken };
}

/** Asks for a notice, a mail without a secret. */
export function orderNotice(mailer: TestMailer, to = 'ada@example.org'): Promise<string> {
  const changedAt = mailer.inSeconds(0);
  return mailer.publish(passwordChanged, { userId: 7, to, name: 'Ada', languages: null, changedAt, changedFrom: null });
}
