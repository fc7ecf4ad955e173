import { z } from 'zod';

/** A secret under AES-256-GCM: `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url (S48, O10). Only holders of SEALING_KEY can read it. */
export const sealedSecret = z.string().regex(/^v1\.[\w-]+\.[\w-]+\.[\w-]+$/);
