import type { IndexField } from '../index/index-definition.js';
import {
  behind,
  everyKey,
  flipped,
  flippedInterval,
  intersect,
  isEmpty,
  type KeyInterval,
  startingWith,
} from '../index/key-interval.js';
import type { StoredIndex } from '../storage/catalog.js';
import type { FilterShape, Requirement } from './requirements.js';

/** More ranges than this are not worth it: the search takes fewer fields instead. */
const MOST_INTERVALS = 500;

export interface IndexBounds {
  readonly intervals: readonly KeyInterval[];
  /** How many leading fields are equal to given values. */
  readonly equal: number;
  /** How many leading fields are equal to one value, so that they do not matter for the order. */
  readonly fixed: number;
  /** How many conditions bound the field behind them: two are a range with both ends. */
  readonly ranges: number;
  readonly used: ReadonlySet<Requirement>;
}

/** Intersects what the filter requires with the index: equal values for its first fields, then one range. */
export function boundsFor(
  index: Pick<StoredIndex, 'arrayFields'> & { fields: readonly IndexField[] },
  shape: FilterShape,
): IndexBounds {
  let prefixes: Buffer[] = [Buffer.alloc(0)];
  const used = new Set<Requirement>();
  let equal = 0;
  let fixed = 0;
  for (const [position, field] of index.fields.entries()) {
    const own = shape.requirements.filter((requirement) => requirement.path === field.path);
    const values = fewestPoints(own);
    if (values !== undefined && prefixes.length * values.intervals.length <= MOST_INTERVALS) {
      used.add(values);
      const keys = values.intervals.map(({ from }) => (field.direction === 1 ? from : flipped(from)));
      if (fixed === equal && keys.length === 1) fixed++;
      equal++;
      prefixes = prefixes.flatMap((prefix) => keys.map((key) => Buffer.concat([prefix, key])));
      continue;
    }
    const ranges = own.filter((requirement) => requirement.kind === 'range');
    // With arrays, two ranges may be met by two elements: only one of them may bound the search.
    const taken = (index.arrayFields & (1 << position)) !== 0 ? ranges.slice(0, 1) : ranges;
    if (taken.length === 0) break;
    for (const requirement of taken) used.add(requirement);
    const interval = taken.map((range) => range.intervals[0] ?? everyKey).reduce(intersect);
    const intervals = isEmpty(interval) ? [] : prefixes.map((prefix) => behind(prefix, directed(field, interval)));
    return { intervals: ordered(intervals), equal, fixed, ranges: taken.length, used };
  }
  const intervals = equal === 0 ? [everyKey] : prefixes.map(startingWith);
  return { intervals: ordered(intervals), equal, fixed, ranges: 0, used };
}

function fewestPoints(requirements: readonly Requirement[]): Requirement | undefined {
  let best: Requirement | undefined;
  for (const requirement of requirements) {
    if (requirement.kind === 'points' && (!best || requirement.intervals.length < best.intervals.length))
      best = requirement;
  }
  return best;
}

function directed(field: IndexField, interval: KeyInterval): KeyInterval {
  return field.direction === 1 ? interval : flippedInterval(interval);
}

function ordered(intervals: KeyInterval[]): KeyInterval[] {
  if (intervals.length < 2) return intervals;
  const sorted = intervals.sort((left, right) => Buffer.compare(left.from, right.from));
  return sorted.filter((interval, at) => at === 0 || !interval.from.equals((sorted[at - 1] as KeyInterval).from));
}
