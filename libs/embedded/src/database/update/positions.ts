import { ErrorCode, serverError } from '../errors.js';
import { documentTest } from '../filter/document-test.js';
import { fieldValues } from '../index/field-values.js';
import { isSubdocument, type StoredDocument } from '../storage/value-types.js';

/** What the positional parts of update paths are resolved by. */
export interface Positions {
  /** The filter that found the document; `$` is the first element it matched. */
  readonly filter: StoredDocument;
  /** By identifier, for `$[name]`. */
  readonly arrayFilters: ReadonlyMap<string, StoredDocument>;
  readonly now: () => Date;
}

/** Groups `arrayFilters: [{ 'item.id': 1 }]` by the identifier they start with. */
export function arrayFiltersByName(filters: readonly StoredDocument[]): Map<string, StoredDocument> {
  const byName = new Map<string, StoredDocument>();
  for (const filter of filters) {
    const name = Object.keys(filter)[0]?.split('.')[0] ?? '';
    if (!/^[a-z]\w*$/.test(name)) throw serverError(ErrorCode.badValue, `Cannot use an array filter on '${name}'`);
    byName.set(name, filter);
  }
  return byName;
}

/** `outbox.$.attempts` → `['outbox.2.attempts']`; `$[]` and `$[name]` may give several paths or none. */
export function concretePaths(document: StoredDocument, path: string, positions: Positions): string[] {
  if (!path.includes('$')) return [path];
  let paths: string[][] = [[]];
  for (const step of path.split('.')) {
    paths = paths.flatMap((start) =>
      indexesFor(document, start.join('.'), step, positions).map((own) => [...start, own]),
    );
  }
  return paths.map((steps) => steps.join('.'));
}

function indexesFor(document: StoredDocument, before: string, step: string, positions: Positions): string[] {
  if (!step.startsWith('$')) return [step];
  if (before === '')
    throw serverError(ErrorCode.badValue, `Cannot have positional (i.e. '${step}') element in the first position`);
  const array = fieldValues(document, before).values[0];
  if (step === '$') return [String(matchedIndex(array, before, positions))];
  if (!Array.isArray(array)) {
    throw serverError(
      ErrorCode.badValue,
      `The path '${before}' must exist in the document in order to apply array updates.`,
    );
  }
  const name = /^\$\[(\w*)\]$/.exec(step)?.[1];
  if (name === undefined)
    throw serverError(ErrorCode.badValue, `The field name '${step}' is not valid in an update path`);
  if (name === '') return array.map((_, index) => String(index));
  const filter = positions.arrayFilters.get(name);
  if (filter === undefined) throw serverError(ErrorCode.badValue, `No array filter found for identifier '${name}'`);
  const matches = documentTest(filter, positions.now);
  return array.flatMap((item, index) => (matches({ [name]: item }) ? [String(index)] : []));
}

/** The first element that meets all conditions the filter puts on this array. */
function matchedIndex(array: unknown, path: string, positions: Positions): number {
  const conditions = conditionsOn(positions.filter, path);
  if (Array.isArray(array) && conditions.length > 0) {
    const tests = conditions.map((condition) => documentTest(condition, positions.now));
    const meets = (item: unknown) => (test: (document: StoredDocument) => boolean) => test(nested(path, [item]));
    const all = array.findIndex((item) => tests.every(meets(item)));
    const any = all >= 0 ? all : array.findIndex((item) => tests.some(meets(item)));
    if (any >= 0) return any;
  }
  throw serverError(ErrorCode.badValue, 'The positional operator did not find the match needed from the query.');
}

function conditionsOn(filter: StoredDocument, path: string): StoredDocument[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (key === '$and' && Array.isArray(value))
      return value.flatMap((part) => conditionsOn(part as StoredDocument, path));
    return key === path || key.startsWith(`${path}.`) ? [{ [key]: withoutSize(value) }] : [];
  });
}

/** A condition on the length says nothing about an element. */
function withoutSize(condition: unknown): unknown {
  if (!isSubdocument(condition) || !('$size' in condition)) return condition;
  const { $size: _, ...others } = condition;
  return Object.keys(others).length > 0 ? others : { $exists: true };
}

function nested(path: string, value: unknown): StoredDocument {
  return path.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as StoredDocument;
}
