import { z } from 'zod';
import { email, timestamp, userId } from '../fields.js';
import { defineEvent } from './event.js';
import { sealedSecret } from './sealed.js';

const recipient = { userId, to: email, name: z.string(), languages: z.string().nullable() };

export const passwordResetRequested = defineEvent(
  'auth.password-reset-requested.v1',
  z.object({
    ...recipient,
    /** The reset token. */
    sealedToken: sealedSecret,
    /** Secret of the "this was not me" link; null when there is nothing to take back. */
    sealedDisownToken: sealedSecret.nullable(),
    expiresAt: timestamp,
    requestedAt: timestamp,
    /** From where it was asked: the client's address, null when an admin had it sent. */
    requestedFrom: z.string().nullable(),
    /** SHA-256 of the token, by which auth knows what to restore when the mail is abandoned. */
    tokenHash: z.string(),
  }),
);

export const invitationRequested = defineEvent(
  'auth.invitation-requested.v1',
  z.object({ ...recipient, sealedToken: sealedSecret, expiresAt: timestamp, tokenHash: z.string() }),
);

export const passwordChanged = defineEvent(
  'auth.password-changed.v1',
  z.object({
    ...recipient,
    changedAt: timestamp,
    changedFrom: z.string().nullable(),
    /** Secret of the "this was not me" link, which ends every session. Left out by older publishers. */
    sealedDisownToken: sealedSecret.optional(),
  }),
);
