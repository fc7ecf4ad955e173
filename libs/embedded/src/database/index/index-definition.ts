import { ErrorCode, serverError, UnsupportedOperationError } from '../errors.js';
import type { StoredDocument } from '../storage/value-types.js';

export interface IndexField {
  readonly path: string;
  readonly direction: 1 | -1;
}

/** An index as asked for; kept as JSON in the file. */
export interface IndexDefinition {
  readonly name: string;
  readonly fields: readonly IndexField[];
  readonly unique: boolean;
  readonly sparse: boolean;
  /** Only documents that match are in the index. */
  readonly partialFilter?: StoredDocument;
  /** TTL: seconds past the date in the (only) field after which the document is deleted. */
  readonly expireAfterSeconds?: number;
}

/** Options that say how MongoDB builds the index; they change nothing here. */
const WITHOUT_EFFECT = new Set([
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'background',
  'v',
  'key',
  'ns',
  'commitQuorum',
  'maxTimeMS',
  'writeConcern',
  '_autoIndex',
]);

/** Reads `createIndex(key, options)`. Throws by name for kinds of index that are not supported. */
export function defineIndex(key: Record<string, unknown>, options: Record<string, unknown>): IndexDefinition {
  for (const [option, value] of Object.entries(options)) {
    if (!WITHOUT_EFFECT.has(option) && value !== undefined && value !== null && value !== false) {
      throw new UnsupportedOperationError(`the index option ${option}`);
    }
  }
  const fields = Object.entries(key).map(([path, direction]): IndexField => {
    if (direction !== 1 && direction !== -1)
      throw new UnsupportedOperationError(`an index of type ${String(direction)}`);
    if (path.includes('$**')) throw new UnsupportedOperationError('a wildcard index');
    return { path, direction };
  });
  if (fields.length === 0) throw serverError(67, 'Index keys cannot be an empty object');
  const expires = options.expireAfterSeconds;
  if (typeof expires === 'number' && fields.length !== 1) {
    throw serverError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL');
  }
  const partial = options.partialFilterExpression as StoredDocument | undefined;
  if (partial && options.sparse === true)
    throw serverError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  return {
    name: typeof options.name === 'string' ? options.name : fields.map((f) => `${f.path}_${f.direction}`).join('_'),
    fields,
    unique: options.unique === true,
    sparse: options.sparse === true,
    ...(partial ? { partialFilter: partial } : {}),
    ...(typeof expires === 'number' ? { expireAfterSeconds: expires } : {}),
  };
}

const depends = new WeakMap<IndexDefinition, readonly string[] | 'any'>();

/** Whether a change of these top-level fields can change a document's entries in the index. */
export function concerns(index: IndexDefinition, touched: ReadonlySet<string>): boolean {
  let fields = depends.get(index);
  if (fields === undefined) {
    fields = dependsOn(index);
    depends.set(index, fields);
  }
  return fields === 'any' || fields.some((field) => touched.has(field));
}

/** Top-level fields; of a partial filter with logic in it any may matter. */
function dependsOn({ fields, partialFilter = {} }: IndexDefinition): readonly string[] | 'any' {
  const paths = [...fields.map(({ path }) => path), ...Object.keys(partialFilter)];
  return paths.some((path) => path.startsWith('$')) ? 'any' : paths.map((path) => path.split('.', 1)[0] as string);
}

/** `{ email: 1, createdAt: -1 }` */
export function keyPattern(index: IndexDefinition): Record<string, number> {
  return Object.fromEntries(index.fields.map((field) => [field.path, field.direction]));
}

/** As `listIndexes` answers it. */
export function describeIndex(index: IndexDefinition): Record<string, unknown> {
  return {
    v: 2,
    key: keyPattern(index),
    name: index.name,
    ...(index.unique ? { unique: true } : {}),
    ...(index.sparse ? { sparse: true } : {}),
    ...(index.partialFilter ? { partialFilterExpression: index.partialFilter } : {}),
    ...(index.expireAfterSeconds === undefined ? {} : { expireAfterSeconds: index.expireAfterSeconds }),
  };
}

/** True when the index is there already; throws as MongoDB does when one of the same name or key differs. */
export function isAlreadyDefined(wanted: IndexDefinition, present: readonly IndexDefinition[]): boolean {
  for (const index of present) {
    const sameKey = JSON.stringify(index.fields) === JSON.stringify(wanted.fields);
    const same = JSON.stringify(describeIndex(index)) === JSON.stringify(describeIndex(wanted));
    if (same) return true;
    if (index.name === wanted.name) {
      const code = sameKey ? ErrorCode.indexOptionsConflict : ErrorCode.indexKeySpecsConflict;
      throw serverError(
        code,
        `An existing index has the same name as the requested index: ${wanted.name}, with other options`,
      );
    }
    if (sameKey && index.partialFilter === undefined && wanted.partialFilter === undefined) {
      throw serverError(ErrorCode.indexOptionsConflict, `Index already exists with a different name: ${index.name}`);
    }
  }
  return false;
}
