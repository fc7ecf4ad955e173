import { createHmac } from 'node:crypto';

/** Stripe's signature header: `t=<seconds>,v1=<HMAC-SHA256 over "t.body">`. */
export function signWebhook(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}
