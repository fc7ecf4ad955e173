import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** A file that is served under a name that changes with its content, so that browsers may keep it. */
export interface Asset {
  readonly path: string;
  send(request: Request, response: Response): Promise<void>;
}

/** Read now, so that an upgrade does not take it away from a running process; compressed when it is first asked for. */
export function readAsset(file: string, type: 'text/css' | 'text/javascript'): Asset {
  const plain = readFileSync(file);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 10);
  let small: Promise<Buffer> | undefined;
  return {
    path: `/docs/assets/${hash}/${basename(file)}`,
    async send(request, response) {
      response.set('cache-control', 'public, max-age=31536000, immutable').vary('Accept-Encoding').type(type);
      if (request.acceptsEncodings('gzip', 'identity') !== 'gzip') {
        response.send(plain);
        return;
      }
      small ??= promisify(gzip)(plain);
      response.set('content-encoding', 'gzip').send(await small);
    },
  };
}
