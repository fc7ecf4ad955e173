import { Problem } from '@latchkey/kit';

/** Where a page ended: opaque to clients. */
export interface Position {
  readonly diedAt: Date;
  readonly id: string;
}

export function toCursor(position: Position): string {
  return Buffer.from(`${position.diedAt.getTime()} ${position.id}`).toString('base64url');
}

/** Throws `Problem('validation-failed')` for anything that `toCursor` did not make. */
export function fromCursor(cursor: string): Position {
  const [, milliseconds, id] = /^(-?\d{1,15}) (.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (milliseconds === undefined || id === undefined) {
    throw new Problem('validation-failed', {
      errors: [{ path: 'query.after', message: 'must be the `next` of a page before' }],
    });
  }
  return { diedAt: new Date(Number(milliseconds)), id };
}

/** What comes after `position` in a list sorted newest first. */
export function after(position: Position): Record<string, unknown> {
  return {
    diedAt: { $lte: position.diedAt },
    $or: [{ diedAt: { $lt: position.diedAt } }, { _id: { $lt: position.id } }],
  };
}
