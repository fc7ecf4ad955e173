import { createHmac } from 'node:crypto';
import { foldEmail } from './fold-email.js';

/** Names an email in counters and logs without telling it: the same for every spelling, whether or not anybody has it (S17). Hexadecimal. */
export function createAccountKey(secret: string): (email: string) => string {
  return (email) =>
    createHmac('sha256', secret)
      .update(`latchkey account\n${foldEmail(email)}`)
      .digest('hex')
      .slice(0, 32);
}
