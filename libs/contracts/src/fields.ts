import { z } from 'zod';

/** Text that UTF-8 can carry: a lone surrogate would be stored as another character than the one sent. */
const wellFormed = (value: string) => value.isWellFormed();
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point (S61: no header is ever built from them)
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

/** An email address, at most 254 characters and 64 before the @ (RFC 5321 §4.5.3.1). ASCII only, which keeps homoglyphs and header injection out (S61). */
export const email = z
  .email()
  .max(254)
  .refine((value) => value.indexOf('@') <= 64, 'must have at most 64 characters before the @');

/** A person's name: 1 to 100 characters, one line. */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(wellFormed, 'must be well-formed Unicode')
  .refine((value) => !controlCharacters.test(value), 'must not contain control characters');

/** A password that somebody presents: any text; the policy is applied when one is set, never here (S08). */
export const presentedPassword = z.string().min(1).max(1024);

/** A password to be set: at most 256 characters, never trimmed or folded (S05); auth applies the rest of the policy. */
export const newPassword = z.string().min(1).max(256).refine(wellFormed, 'must be well-formed Unicode');

/** A bcrypt hash from elsewhere, of a cost that a login can afford. */
export const bcryptHash = z
  .string()
  .regex(
    /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/,
    'must be a bcrypt hash ($2a$, $2b$ or $2y$) of cost 4 to 15',
  );

/** An integer user id. */
export const userId = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** A user id in a path: decimal digits. */
export const userIdInPath = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive integer')
  .transform(Number)
  .pipe(userId);

/** 128 random bits, hexadecimal. */
export const sessionId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits');

/** A secret from a mailed link: 32 random bytes, hexadecimal (S46). Other lengths are well-formed but never valid. */
export const linkToken = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[0-9a-fA-F]+$/, 'must be hexadecimal');

/** ISO 8601, UTC. */
export const timestamp = z.iso.datetime();

export const role = z.enum(['admin', 'member']);
export type Role = z.output<typeof role>;

export const message = z.object({ message: z.string() });

/** `?limit` of a list: 1 to 200, default 50. */
export const pageLimit = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a number from 1 to 200')
  .transform(Number)
  .pipe(z.int().min(1).max(200))
  .default(50);

/** The id that every answer carries as `X-Request-Id`, and that whatever the request led to keeps. */
export const requestId = z.string().regex(/^[\w-]{8,64}$/, 'must be the id of a request');
