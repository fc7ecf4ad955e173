import { createHash } from 'node:crypto';
import type { Message } from '@latchkey/contracts';
import type { Clock } from '@latchkey/kit';
import { type DeadDelivery, decodeEnvelope } from '@latchkey/messaging';
import type { Model } from 'mongoose';
import type { DeadLetterDocument } from './dead-letter-model.js';

const DAY_MS = 86_400_000;
/** Of bytes that nobody can read again, this much is enough to see what they were. */
const KEPT_BYTES = 64 * 1024;
/** An id stands in paths and cursors of at most 200 characters. */
const MAX_ID = 120;

/** Writes a dead delivery down. Storing the same one again is the same document; one that died again after its replay is open again. */
export function storeDeadLetter(o: { model: Model<DeadLetterDocument>; clock: Clock; retentionDays: number }) {
  return async (dead: DeadDelivery): Promise<void> => {
    const message = readable(dead.body);
    const { _id, ...fields } = {
      _id: idOf(dead, message),
      queue: dead.queue,
      event: message?.name ?? null,
      reason: dead.reason,
      attempts: dead.attempts,
      diedAt: dead.diedAt,
      replayedAt: null,
      requestId: message?.correlationId ?? null,
      message: message ?? null,
      body: message === null ? Buffer.from(dead.body.subarray(0, KEPT_BYTES)) : null,
      expiresAt: new Date(o.clock.now() + o.retentionDays * DAY_MS),
    };
    await o.model.updateOne({ _id }, { $set: fields }, { upsert: true });
  };
}

function readable(body: Uint8Array): Message | null {
  try {
    return decodeEnvelope(body);
  } catch {
    return null;
  }
}

function idOf(dead: DeadDelivery, message: Message | null): string {
  const id = `${dead.queue}:${message?.id ?? ''}`;
  if (message !== null && id.length <= MAX_ID) return id;
  return `${dead.queue}:${createHash('sha256').update(dead.body).digest('hex').slice(0, 32)}`;
}
