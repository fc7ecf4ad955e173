import { ApiError, invalid } from './api-error.js';
import { type Form, section, text, whole } from './form-body.js';

export interface ListPage<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly url: string;
}

/** One page of a list, newest first, by Stripe's cursors. `items`: in the order they were made. */
export function listPage<T extends { id: string }>(items: readonly T[], query: Form, url: string): ListPage<T> {
  const limit = whole(query, 'limit') ?? 10;
  if (limit < 1 || limit > 100) throw invalid('limit', 'limit must be from 1 to 100');
  const newestFirst = [...items].reverse();
  const after = text(query, 'starting_after');
  const before = text(query, 'ending_before');
  const at = (id: string, param: string) => {
    const index = newestFirst.findIndex((item) => item.id === id);
    if (index < 0)
      throw new ApiError(400, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such ${id}`,
        param,
      });
    return index;
  };
  if (before !== undefined) {
    const end = at(before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: newestFirst.slice(start, end), has_more: start > 0, url };
  }
  const start = after === undefined ? 0 : at(after, 'starting_after') + 1;
  const data = newestFirst.slice(start, start + limit);
  return { object: 'list', data, has_more: start + data.length < newestFirst.length, url };
}

/** Whether a time lies in `created=…` or `created[gte]=…` and its like. */
export function withinCreated(query: Form): (created: number) => boolean {
  if (typeof query.created === 'string') return (created) => created === whole(query, 'created');
  const range = section(query, 'created');
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((name) => whole(range, name));
  return (created) =>
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte);
}
