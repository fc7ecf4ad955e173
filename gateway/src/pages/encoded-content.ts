import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** Something to serve as it is or compressed. */
export interface Content {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** What the build could not compress because configuration goes into it: compressed once, when it is first asked for. Small, a page or a style. */
export function compressed(type: string, text: string): Content {
  const plain = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  let br: Buffer | undefined;
  let gzip: Buffer | undefined;
  return {
    type,
    plain,
    get br() {
      br ??= brotliCompressSync(plain, { params });
      return br;
    },
    get gzip() {
      gzip ??= gzipSync(plain);
      return gzip;
    },
  };
}

/** Answers with the smallest form that `Accept-Encoding` takes. */
export function sendContent(request: Request, response: Response, content: Content): void {
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
  response.vary('Accept-Encoding').type(content.type);
  if (encoding === 'br' || encoding === 'gzip') {
    response.set('content-encoding', encoding).send(content[encoding]);
  } else response.send(content.plain);
}
