import { Problem } from '@latchkey/kit';

/** Where a page of the list ends: the last mail's time and id. */
export interface PageCursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** The cursor as clients get it: opaque, safe in a URL. */
export function encodeCursor({ createdAt, id }: PageCursor): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url');
}

/** Throws `Problem('validation-failed')` for anything that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): PageCursor {
  const [, time, id] = /^(\d{1,15}) (.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined) {
    const message = 'must be the `next` of an earlier page';
    throw new Problem('validation-failed', { errors: [{ path: 'query.after', message }] });
  }
  return { createdAt: new Date(Number(time)), id };
}
