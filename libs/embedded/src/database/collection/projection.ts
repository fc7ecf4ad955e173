import { UnsupportedOperationError } from '../errors.js';
import { isSubdocument, type StoredDocument } from '../storage/value-types.js';

/** Gives the part of a document that was asked for. The document is the caller's own and may be cut in place. */
export type Projection = (document: StoredDocument) => StoredDocument;

type PathTree = Map<string, PathTree | true>;

/** Reads `{ a: 1, 'b.c': 1 }` or `{ a: 0 }`; throws by name for projection operators. */
export function readProjection(projection: unknown): Projection {
  const fields = Object.entries((projection ?? {}) as Record<string, unknown>);
  const included: string[] = [];
  const excluded: string[] = [];
  for (const [path, value] of fields) {
    if (value !== null && typeof value === 'object') {
      throw new UnsupportedOperationError(`the projection operator ${Object.keys(value)[0] ?? ''}`);
    }
    if (path.split('.').some((step) => step.startsWith('$')))
      throw new UnsupportedOperationError(`the projection ${path}`);
    if (typeof value === 'string') throw new UnsupportedOperationError('an expression in a projection');
    (value ? included : excluded).push(path);
  }
  const withoutId = excluded.includes('_id');
  const otherExcluded = excluded.filter((path) => path !== '_id');
  if (included.length > 0 && otherExcluded.length > 0) {
    throw new Error(`Cannot do exclusion on field ${otherExcluded[0]} in inclusion projection`);
  }
  if (included.length > 0) {
    const tree = treeOf(withoutId ? included : ['_id', ...included]);
    return (document) => include(document, tree);
  }
  if (excluded.length === 0) return (document) => document;
  const tree = treeOf(excluded);
  return (document) => {
    exclude(document, tree);
    return document;
  };
}

function treeOf(paths: readonly string[]): PathTree {
  const root: PathTree = new Map();
  for (const path of paths) {
    const steps = path.split('.');
    let level = root;
    for (const [at, step] of steps.entries()) {
      const next = level.get(step);
      if (next === true) break;
      if (at === steps.length - 1) level.set(step, true);
      else {
        const deeper: PathTree = next ?? new Map();
        level.set(step, deeper);
        level = deeper;
      }
    }
  }
  return root;
}

function include(document: StoredDocument, tree: PathTree): StoredDocument {
  const result: StoredDocument = {};
  for (const [key, value] of Object.entries(document)) {
    const wanted = tree.get(key);
    if (wanted === true) result[key] = value;
    else if (wanted !== undefined) {
      const part = includeIn(value, wanted);
      if (part !== undefined) result[key] = part;
    }
  }
  return result;
}

/** Of an array, the part of each subdocument; other elements do not have the field and leave. */
function includeIn(value: unknown, tree: PathTree): unknown {
  if (Array.isArray(value)) return value.map((item) => includeIn(item, tree)).filter((item) => item !== undefined);
  return isSubdocument(value) ? include(value, tree) : undefined;
}

function exclude(value: unknown, tree: PathTree): void {
  if (Array.isArray(value)) for (const item of value) exclude(item, tree);
  if (!isSubdocument(value)) return;
  for (const [key, unwanted] of tree) {
    if (unwanted === true) delete value[key];
    else exclude(value[key], unwanted);
  }
}
