import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Problem } from '../problem.js';

/** How much of a body that is too large is read and thrown away, so that the client gets to read the answer. */
const DRAIN_BYTES = 16 * 1024 * 1024;
const DRAIN_MILLISECONDS = 5000;

/** The client went away before its request was complete: there is nobody to answer. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Every byte of the body. Throws `body-too-large` past `limit`, announced or counted, after draining within bounds; `RequestAborted` when it breaks off.
 */
export function receiveBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let tooLarge = false;
    let drainTimer: NodeJS.Timeout | undefined;

    const settle = () => {
      clearTimeout(drainTimer);
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const refuse = () => {
      settle();
      // Without a listener the stream must go on being read, or the connection would hang.
      request.resume();
      reject(new Problem('body-too-large'));
    };
    const startDraining = () => {
      tooLarge = true;
      chunks.length = 0;
      drainTimer = setTimeout(refuse, DRAIN_MILLISECONDS);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (!tooLarge && size > limit) startDraining();
      if (!tooLarge) chunks.push(chunk);
      else if (size > limit + DRAIN_BYTES) refuse();
    };
    const onEnd = () => {
      if (tooLarge) return refuse();
      settle();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    };
    const onBroken = () => {
      settle();
      reject(new RequestAborted('The request broke off'));
    };

    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    if (Number(request.headers['content-length'] ?? 0) > limit) startDraining();
  });
}

/** Throws `unsupported-media-type` unless the body is JSON in UTF-8, uncompressed (S65). */
export function requireJson(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new Problem('unsupported-media-type', { detail: 'The body may not be compressed' });
  const type = headers['content-type'];
  if (type !== 'application/json' && !isJson(type ?? '')) throw new Problem('unsupported-media-type');
}

function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(';');
  return (
    type?.trim() === 'application/json' &&
    parameters.every((parameter) => {
      const [name, value = ''] = parameter.split('=');
      return name?.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim());
    })
  );
}
