import { createHmac, randomBytes } from 'node:crypto';

/** A fresh event of that type, about a customer that nobody knows. */
export function signedEvent(secret: string, type: string): { body: string; headers: Record<string, string> } {
  const id = randomBytes(12).toString('hex');
  const seconds = Math.floor(Date.now() / 1000);
  const object = { id: `cus_${id}`, object: 'customer', metadata: {}, description: 'x'.repeat(600) };
  const body = JSON.stringify({
    id: `evt_${id}`,
    object: 'event',
    type,
    created: seconds,
    livemode: false,
    data: { object },
  });
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { body, headers: { 'stripe-signature': `t=${seconds},v1=${signature}` } };
}
