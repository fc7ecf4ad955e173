import type { IndexDefinition } from '../index/index-definition.js';
import { intersect, isEmpty, type KeyInterval } from '../index/key-interval.js';
import type { StoredDocument } from '../storage/value-types.js';
import { type FilterShape, type Requirement, shapeOf } from './requirements.js';

/** True when every document that the filter can match is in the index, which may be sparse or partial. */
export function coversFilter(index: IndexDefinition, shape: FilterShape): boolean {
  if (index.sparse) return index.fields.some((field) => mustExist(field.path, shape));
  return index.partialFilter === undefined || implies(shape, index.partialFilter);
}

/** True when the shape holds, word for word or by its keys, all that the partial filter asks for. */
function implies(shape: FilterShape, partialFilter: StoredDocument): boolean {
  const wanted = shapeOf(partialFilter);
  if (wanted.alternatives.length > 0) return false;
  for (const path of wanted.existing) if (!mustExist(path, shape)) return false;
  // What is neither "exists" nor a requirement on keys cannot be compared.
  const compared = wanted.requirements.length + wanted.existing.size;
  if (compared < conditionCount(partialFilter)) return false;
  return wanted.requirements.every((requirement) =>
    shape.requirements.some((own) => own.path === requirement.path && isWithin(own, requirement)),
  );
}

function mustExist(path: string, shape: FilterShape): boolean {
  return shape.existing.has(path) || shape.requirements.some((own) => own.path === path && own.present);
}

function isWithin(own: Requirement, wanted: Requirement): boolean {
  return own.intervals.every((interval) => wanted.intervals.some((outer) => contains(outer, interval)));
}

function contains(outer: KeyInterval, inner: KeyInterval): boolean {
  const both = intersect(outer, inner);
  return isEmpty(inner) || (both.from.equals(inner.from) && both.to.equals(inner.to));
}

function conditionCount(filter: StoredDocument): number {
  let count = 0;
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(value))
      for (const part of value) count += conditionCount(part as StoredDocument);
    else if (value !== null && typeof value === 'object' && Object.keys(value).some((name) => name.startsWith('$'))) {
      count += Object.keys(value).length;
    } else count++;
  }
  return count;
}
