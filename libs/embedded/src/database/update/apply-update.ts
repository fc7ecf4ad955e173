import { ErrorCode, serverError, UnsupportedOperationError } from '../errors.js';
import { isSubdocument, type StoredDocument } from '../storage/value-types.js';
import { arrayOperators } from './array-operators.js';
import { fieldOperators, type UpdateMoment, type UpdateOperator } from './field-operators.js';
import { concretePaths, type Positions } from './positions.js';
import { locate } from './target.js';

interface Change {
  readonly name: string;
  readonly operator: UpdateOperator;
  readonly path: string;
  readonly operand: unknown;
}

/** An update, read and checked once for all documents it is applied to. */
export type Update = readonly Change[];

const OPERATORS: Record<string, UpdateOperator> = { ...fieldOperators, ...arrayOperators };

/**
 * Reads `{ $set: {...}, $push: {...} }`. Throws for what is not supported (by name), for paths that conflict (code 40)
 * and for a change of `_id`'s parts.
 */
export function readUpdate(update: StoredDocument): Update {
  if (Array.isArray(update)) throw new UnsupportedOperationError('an update with an aggregation pipeline');
  const changes: Change[] = [];
  for (const [name, fields] of Object.entries(update)) {
    if (!name.startsWith('$')) throw serverError(9, `Update document requires atomic operators, not '${name}'`);
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (operator === undefined) throw new UnsupportedOperationError(`the update operator ${name}`);
    if (!isSubdocument(fields)) throw serverError(9, `Modifiers operate on fields but found another type in ${name}`);
    for (const [path, operand] of Object.entries(fields)) changes.push({ name, operator, path, operand });
  }
  refuseConflicts(changes);
  return changes;
}

/** Changes the document in place. */
export function applyUpdate(
  document: StoredDocument,
  update: Update,
  positions: Positions,
  moment: UpdateMoment,
): void {
  for (const { operator, operand, path } of update) {
    for (const own of concretePaths(document, path, positions)) {
      const target = locate(
        document,
        own,
        operator.creates && !(operator === OPERATORS.$setOnInsert && !moment.inserting),
      );
      if (target !== undefined) operator.apply(target, operand, document, moment);
    }
  }
}

/** The top-level fields that the update can change. */
export function touchedFields(update: Update): ReadonlySet<string> {
  return new Set(writtenPaths(update).map((path) => path.split('.', 1)[0] as string));
}

function writtenPaths(changes: readonly Change[]): string[] {
  return changes.flatMap(({ name, path, operand }) => (name === '$rename' ? [path, String(operand)] : [path]));
}

function refuseConflicts(changes: readonly Change[]): void {
  const paths = writtenPaths(changes);
  const seen = new Set(paths);
  const conflict = paths.find(
    (path, at) => paths.indexOf(path) !== at || ancestors(path).some((outer) => seen.has(outer)),
  );
  if (conflict !== undefined) {
    throw serverError(
      ErrorCode.conflictingUpdate,
      `Updating the path '${conflict}' would create a conflict at '${conflict}'`,
    );
  }
}

function ancestors(path: string): string[] {
  const steps = path.split('.');
  return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('.'));
}
