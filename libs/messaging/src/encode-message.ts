import { type EventDefinition, type Message, messageSchema } from '@latchkey/contracts';

/** Larger messages are neither published nor handled: no event of ours comes near, and a broker would be slowed for everybody (F24, O8). */
export const MAX_MESSAGE_BYTES = 256 * 1024;

export class OversizeMessageError extends Error {
  override readonly name = 'OversizeMessageError';
}

/** Bytes that can never be handled as the event that a queue carries. */
export class UnparseableMessageError extends Error {
  override readonly name = 'UnparseableMessageError';
}

/** UTF-8 JSON of a message, parsed by its schema first. */
export function encodeMessage(message: Message): Buffer {
  const body = Buffer.from(JSON.stringify(messageSchema.parse(message)));
  if (body.length > MAX_MESSAGE_BYTES) {
    throw new OversizeMessageError(
      `${body.length} bytes are more than the ${MAX_MESSAGE_BYTES} that a message may have`,
    );
  }
  return body;
}

/** The envelope alone, payload unseen; throws {@link UnparseableMessageError}. */
export function decodeEnvelope(body: Uint8Array): Message {
  if (body.byteLength > MAX_MESSAGE_BYTES) throw new UnparseableMessageError(`too large: ${body.byteLength} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new UnparseableMessageError('not JSON');
  }
  const envelope = messageSchema.safeParse(json);
  if (!envelope.success) throw new UnparseableMessageError(`not a message: ${describe(envelope.error.issues)}`);
  return envelope.data;
}

/** The message with its payload parsed as `event`; members that this version does not know are dropped (F36, tolerant reader). */
export function decodeMessage(body: Uint8Array, event: EventDefinition): Message {
  const message = decodeEnvelope(body);
  if (message.name !== event.name) throw new UnparseableMessageError(`unknown event: ${message.name.slice(0, 100)}`);
  const payload = event.payload.safeParse(message.payload);
  if (!payload.success) throw new UnparseableMessageError(`payload: ${describe(payload.error.issues)}`);
  return { ...message, payload: payload.data };
}

/** Paths and rules only: a value might be a secret (S12). */
function describe(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  return issues
    .slice(0, 5)
    .map((issue) => `${issue.path.map(String).join('.') || '(all)'}: ${issue.message}`)
    .join('; ')
    .slice(0, 500);
}
