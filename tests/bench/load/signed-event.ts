import { createHmac, randomBytes } from 'node:crypto';

/** A fresh event of a type that nobody acts on: what is measured is the intake. */
export function signedEvent(secret: string): { body: string; headers: Record<string, string> } {
  const id = randomBytes(12).toString('hex');
  const seconds = Math.floor(Date.now() / 1000);
  const object = { id: `cus_${id}`, object: 'customer', metadata: {}, description: 'x'.repeat(600) };
  const body = JSON.stringify({
    id: `evt_${id}`,
    object: 'event',
    type: 'customer.bench',
    created: seconds,
    livemode: false,
    data: { object },
  });
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { body, headers: { 'stripe-signature': `t=${seconds},v1=${signature}` } };
}
