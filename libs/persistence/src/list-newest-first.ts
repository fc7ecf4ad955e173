import { Problem } from '@latchkey/kit';
import type { Model } from 'mongoose';

/** Which page of a list is wanted. `after`: the `next` of the page before. */
export interface PageWish {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** `only`: fields that must have just this value, where one is given; each needs the index `{ [field]: 1, [time]: -1, _id: -1 }`. `leftOut`: fields that the list does without. */
export interface ListOptions<D> {
  readonly only?: { readonly [K in keyof D & string]?: string | undefined } | undefined;
  readonly leftOut?: readonly (keyof D & string)[];
}

/**
 * One page of a collection by descending `time`, then id; its index is `{ [time]: -1, _id: -1 }`. `next` is opaque, safe in a URL, null on the last
 * page; it names a place, not a document, and so stays good when that is gone. Throws `Problem('validation-failed')` for an `after` that is no `next`.
 */
export async function listNewestFirst<Time extends string, D extends { _id: string } & Record<Time, Date>>(
  model: Model<D>,
  time: Time,
  { limit, after }: PageWish,
  { only, leftOut = [] }: ListOptions<D> = {},
): Promise<{ page: D[]; next: string | null }> {
  // One more than asked for tells whether there is another page.
  const found = await model
    .find({ ...given(only), ...(after !== undefined && olderThan(time, after)) })
    .sort({ [time]: -1, _id: -1 })
    .limit(limit + 1)
    .select(Object.fromEntries(leftOut.map((field) => [field, 0])))
    .lean<D[]>();
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const next = found.length > limit && last ? encode(last[time], last._id) : null;
  return { page, next };
}

function given(only: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(only ?? {}).filter(([, value]) => value !== undefined));
}

function encode(time: Date, id: string): string {
  return Buffer.from(`${time.getTime()} ${id}`).toString('base64url');
}

/** The range serves the index; the rest parts what has the same millisecond. */
function olderThan(time: string, cursor: string): Record<string, unknown> {
  const [, milliseconds, id] = /^(\d{1,15}) (.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (milliseconds === undefined || id === undefined) {
    const message = 'must be the `next` of an earlier page';
    throw new Problem('validation-failed', { errors: [{ path: 'query.after', message }] });
  }
  const at = new Date(Number(milliseconds));
  return { [time]: { $lte: at }, $or: [{ [time]: { $lt: at } }, { _id: { $lt: id } }] };
}
