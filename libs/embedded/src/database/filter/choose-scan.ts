import { UnindexedFilterError } from '../errors.js';
import type { IndexField } from '../index/index-definition.js';
import type { StoredCollection, StoredIndex } from '../storage/catalog.js';
import type { StoredDocument } from '../storage/value-types.js';
import { boundsFor, type IndexBounds } from './index-bounds.js';
import { coversFilter } from './partial-coverage.js';
import { type FilterShape, type Requirement, shapeOf } from './requirements.js';
import type { IndexScan, Scan, SortOrder } from './scan.js';

const PRIMARY_KEY_FIELDS: readonly IndexField[] = [{ path: '_id', direction: 1 }];
/** What a scan gets that narrows the search, and what it gets for each field that is equal to something. */
const NARROWS_SCORE = 50;
const EQUAL_SCORE = 10;
const EQUALITY_SCORE = NARROWS_SCORE + EQUAL_SCORE;

/** Chooses how to find the candidates: the index with the most equal fields, then the one that also gives the order. */
export function chooseScan(collection: StoredCollection, filter: StoredDocument, order: SortOrder = []): Scan {
  const shape = shapeOf(filter);
  const best = bestIndexScan(collection, shape, order);
  if (best !== undefined && best.score >= EQUALITY_SCORE) return best;
  const branches = branchScans(collection, shape);
  if (branches !== undefined && (best?.narrows !== true || leastScore(branches) > best.score)) return branches;
  return best ?? { kind: 'collection' };
}

/** The best way to find the candidates in the order asked for, if any index gives it: of many matches the first few are found soonest so. */
export function chooseSortedScan(
  collection: StoredCollection,
  filter: StoredDocument,
  order: SortOrder,
): IndexScan | undefined {
  return bestIndexScan(collection, shapeOf(filter), order, ({ sorted }) => sorted);
}

/** Throws when reading like this would cost more the more the collection holds (only asked for where that is refused). */
export function refuseUnindexed(
  collection: StoredCollection,
  scan: Scan,
  filter: StoredDocument,
  order: SortOrder,
  limit: number,
): void {
  const inOrder = scan.kind === 'index' && scan.sorted;
  const where = `of collection ${collection.name}`;
  if (Object.keys(filter).length === 0) {
    if (order.length === 0 || inOrder) return;
    throw new UnindexedFilterError(`no index serves the sort by ${order.map(([path]) => path).join(', ')} ${where}`);
  }
  if (scan.kind === 'branches' || (scan.kind === 'index' && scan.narrows)) return;
  if (inOrder && order.length > 0 && limit > 0) return;
  const fields = [...new Set(shapeOf(filter).fields)].join(', ');
  throw new UnindexedFilterError(`no index serves the filter by ${fields || '$or'} ${where}`);
}

/** Of the branch that narrows least. */
function leastScore(scan: Scan): number {
  if (scan.kind === 'branches') return Math.min(...scan.scans.map(leastScore));
  return scan.kind === 'index' ? scan.score : 0;
}

function bestIndexScan(
  collection: StoredCollection,
  shape: FilterShape,
  order: SortOrder,
  serves: (scan: IndexScan) => boolean = () => true,
): IndexScan | undefined {
  const primary = indexScan(undefined, PRIMARY_KEY_FIELDS, shape, order);
  let best = primary !== undefined && serves(primary) ? primary : undefined;
  // One document at most: no other index finds it sooner.
  if (shape.requirements.some(isOneId)) return best;
  for (const index of collection.indexes) {
    if (!coversFilter(index.definition, shape)) continue;
    const scan = indexScan(index, index.definition.fields, shape, order);
    if (scan !== undefined && serves(scan) && (best === undefined || scan.score > best.score)) best = scan;
  }
  return best;
}

function isOneId({ path, kind, intervals }: Requirement): boolean {
  return path === '_id' && kind === 'points' && intervals.length === 1;
}

function indexScan(
  index: StoredIndex | undefined,
  fields: readonly IndexField[],
  shape: FilterShape,
  order: SortOrder,
): IndexScan | undefined {
  const arrayFields = index?.arrayFields ?? 0;
  const bounds = boundsFor({ arrayFields, fields }, shape);
  const direction = orderServed(fields, arrayFields, bounds, order);
  const partial = index !== undefined && (index.definition.sparse || index.definition.partialFilter !== undefined);
  const narrows = bounds.used.size > 0 || partial;
  const sorted = direction !== undefined;
  if (!narrows && !(sorted && order.length > 0)) return undefined;
  const unique = bounds.equal === fields.length && (index === undefined || index.definition.unique);
  return {
    kind: 'index',
    index,
    intervals: bounds.intervals,
    reverse: direction === 'backward',
    sorted,
    narrows,
    exact: !shape.more && shape.requirements.every((requirement) => requirement.exact && bounds.used.has(requirement)),
    unique,
    // Narrowing the search counts more than giving the order.
    score:
      (narrows ? NARROWS_SCORE : 0) +
      bounds.equal * EQUAL_SCORE +
      Math.min(bounds.ranges, 2) +
      (sorted && order.length > 0 ? 3 : 0) +
      (unique ? 100 : 0) +
      (partial ? 1 : 0),
  };
}

/**
 * The direction in which walking the index gives the order asked for. Fields held at one value do not matter for it. An
 * array sorts by its smallest or greatest element, which the walk would not meet first for sure, so arrays rule it out.
 */
function orderServed(
  fields: readonly IndexField[],
  arrayFields: number,
  bounds: IndexBounds,
  order: SortOrder,
): 'forward' | 'backward' | undefined {
  const constant = new Set(fields.slice(0, bounds.fixed).map((field) => field.path));
  const wanted = order.filter(([path]) => !constant.has(path));
  let walk: 'forward' | 'backward' | undefined;
  for (const [at, [path, direction]] of wanted.entries()) {
    const position = bounds.fixed + at;
    const field = fields[position];
    if (field === undefined || field.path !== path || (arrayFields & (1 << position)) !== 0) return undefined;
    const own = field.direction === direction ? 'forward' : 'backward';
    if (walk !== undefined && walk !== own) return undefined;
    walk = own;
  }
  return walk ?? 'forward';
}

/** For an `$or` whose branches are each served by an index (together with the rest of the filter). */
function branchScans(collection: StoredCollection, shape: FilterShape): Scan | undefined {
  for (const branches of shape.alternatives) {
    const scans = branches.map((branch) => {
      const own = shapeOf(branch);
      const combined: FilterShape = {
        requirements: [...own.requirements, ...shape.requirements],
        alternatives: own.alternatives,
        existing: new Set([...own.existing, ...shape.existing]),
        more: true,
        fields: own.fields,
      };
      const best = bestIndexScan(collection, combined, []);
      return best?.narrows ? best : branchScans(collection, { ...combined, alternatives: own.alternatives });
    });
    if (scans.length > 0 && scans.every((scan) => scan !== undefined))
      return { kind: 'branches', scans: scans as Scan[] };
  }
  return undefined;
}
