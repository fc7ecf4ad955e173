import { z } from 'zod';
import { email, role, timestamp, userId } from '../fields.js';
import { defineEvent } from './event.js';
import { sealedSecret } from './sealed.js';

/** A user became active. `hasPassword` false: made without one, so auth invites. */
export const userCreated = defineEvent(
  'user.created.v1',
  z.object({ userId, email, name: z.string(), hasPassword: z.boolean(), languages: z.string().nullable() }),
);

export const userDeleted = defineEvent(
  'user.deleted.v1',
  z.object({ userId, paymentCustomerId: z.string().nullable() }),
);

/** A user's role changed: sessions that began with the old one must end. */
export const userRoleChanged = defineEvent('user.role-changed.v1', z.object({ userId, role }));

/** A user wants another email: a link goes to the new address. */
export const emailChangeRequested = defineEvent(
  'user.email-change-requested.v1',
  z.object({
    userId,
    to: email,
    name: z.string(),
    sealedToken: sealedSecret,
    expiresAt: timestamp,
    languages: z.string().nullable(),
  }),
);

/** The email changed: the old address is told, pending resets of the old one are dropped. */
export const emailChanged = defineEvent(
  'user.email-changed.v1',
  z.object({
    userId,
    oldEmail: email,
    newEmail: email,
    name: z.string(),
    paymentCustomerId: z.string().nullable(),
    languages: z.string().nullable(),
  }),
);
