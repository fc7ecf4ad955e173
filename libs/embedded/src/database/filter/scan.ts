import type { KeyInterval } from '../index/key-interval.js';
import type { StoredIndex } from '../storage/catalog.js';

/** The order asked for: path and direction. */
export type SortOrder = ReadonlyArray<readonly [path: string, direction: 1 | -1]>;

/** How the candidates for a filter are found. They are a superset of what matches, each document once. */
export type Scan =
  | { readonly kind: 'collection' }
  | { readonly kind: 'branches'; readonly scans: readonly Scan[] }
  | IndexScan;

export interface IndexScan {
  readonly kind: 'index';
  /** Undefined: the primary key, `_id`. */
  readonly index: StoredIndex | undefined;
  /** Ascending, without overlap. */
  readonly intervals: readonly KeyInterval[];
  readonly reverse: boolean;
  /** Candidates come in the order asked for. */
  readonly sorted: boolean;
  /** The intervals narrow the search; false when the whole index is walked for its order only. */
  readonly narrows: boolean;
  /** Every candidate matches. */
  readonly exact: boolean;
  /** Each interval is one key of a unique index: one document at most. */
  readonly unique: boolean;
  readonly score: number;
}
