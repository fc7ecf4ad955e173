import type Stripe from 'stripe';
import { z } from 'zod';
import { MalformedEventError, type ProviderEvent, SignatureError } from '../payment-provider.js';
import { stripeSdk } from './stripe-sdk.js';

const TOLERANCE_SECONDS = 300;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** All that is needed of an event; `created` is seconds in version 1 and a text in version 2. */
const signedEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: z.union([z.number(), z.iso.datetime({ offset: true })]),
  data: z.object({ object: z.object({ id: z.string().max(255) }).optional() }).optional(),
});

/** Checks the signature with the SDK's own code, one secret after the other, and reads the event (S73, F28). */
export function verifyStripeWebhook(
  webhooks: Stripe['webhooks'],
  payload: Buffer,
  signature: string | null,
  o: { secrets: readonly string[]; now: number },
): ProviderEvent {
  if (signature === null) throw new SignatureError('The signature header is missing');
  // The SDK decodes the bytes before it checks them: a byte order mark would be dropped and bytes that are no UTF-8 replaced, unseen.
  if (payload.subarray(0, 3).equals(BYTE_ORDER_MARK))
    throw new SignatureError('The body begins with a byte order mark');
  const text = decode(payload);
  refuseFuture(signature, o.now);
  let last: unknown;
  for (const secret of o.secrets) {
    try {
      webhooks.constructEvent(text, signature, secret, TOLERANCE_SECONDS, undefined, o.now);
      return readEvent(text);
    } catch (error) {
      if (!(error instanceof stripeSdk().errors.StripeSignatureVerificationError)) return readEvent(text);
      last = error;
    }
  }
  throw new SignatureError(last instanceof Error ? last.message : 'There is no secret to check with');
}

function decode(payload: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    throw new SignatureError('The body is not UTF-8');
  }
}

/** The SDK accepts any time to come (P19). Each `t` of the header is looked at, so that it does not matter which one the SDK takes. */
function refuseFuture(signature: string, now: number): void {
  for (const item of signature.split(',')) {
    const [key, value] = item.split('=');
    if (key?.trim() !== 't') continue;
    const seconds = Number.parseInt(value ?? '', 10);
    if (!(seconds - Math.floor(now / 1000) <= TOLERANCE_SECONDS))
      throw new SignatureError('The timestamp lies in the future');
  }
}

/** After a right signature: whatever its type, it is an event. What the SDK does not like about it (a thin event of version 2) does not matter here. */
function readEvent(text: string): ProviderEvent {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new MalformedEventError('The signed body is not JSON');
  }
  const parsed = signedEvent.safeParse(body);
  if (!parsed.success) throw new MalformedEventError('The signed body is not an event');
  const { id, type, created, data } = parsed.data;
  const createdAt = new Date(typeof created === 'number' ? created * 1000 : created);
  if (Number.isNaN(createdAt.getTime())) throw new MalformedEventError('The event has no time');
  return { id, type, objectId: data?.object?.id ?? null, createdAt };
}
