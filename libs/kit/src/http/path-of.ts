import type { IncomingMessage } from 'node:http';

/** The path of the request's target, still percent-encoded, without query and fragment. The listener has seen to it that it begins with a slash. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
