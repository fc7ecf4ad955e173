import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../problem.js';
import { newRequestId } from '../request-id.js';

/** Answers what never became a request: broken HTTP (400), too large headers (431), too slow ones (408, S71, F34). */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answering(socket)) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : problem.status;
  const body = JSON.stringify({ ...problem.toDocument(newRequestId()), status });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // The client may go on sending; what it sends is not read any more.
  socket.setTimeout(1000, () => socket.destroy());
}

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request-timeout');
  const detail = code === 'HPE_HEADER_OVERFLOW' ? 'The headers are too large' : 'This is not valid HTTP';
  return new Problem('validation-failed', { detail });
}

/** Whether an answer has begun on this socket (node's own default handler looks at the same field): two answers must not mix. */
function answering(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse };
  return response?.headersSent ?? false;
}
