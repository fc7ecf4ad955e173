import { ErrorCode, serverError, UnsupportedOperationError } from '../errors.js';
import { compareValues } from '../index/key-order.js';
import { isSubdocument, type StoredDocument } from '../storage/value-types.js';
import { locate, remove, type Target, write } from './target.js';

/** What operators need besides their operand. */
export interface UpdateMoment {
  readonly now: () => Date;
  /** The document is being made by an upsert. */
  readonly inserting: boolean;
}

/** Changes one place of the document. `creates` says whether missing subdocuments on the way are made. */
export interface UpdateOperator {
  readonly creates: boolean;
  apply(target: Target, operand: unknown, document: StoredDocument, moment: UpdateMoment): void;
}

const set: UpdateOperator = { creates: true, apply: (target, operand) => write(target, operand) };

function arithmetic(name: string, start: number, compute: (value: number, operand: number) => number): UpdateOperator {
  return {
    creates: true,
    apply(target, operand) {
      if (typeof operand !== 'number') {
        throw serverError(
          ErrorCode.typeMismatch,
          `Cannot ${name} with non-numeric argument: {${target.path}: ${JSON.stringify(operand)}}`,
        );
      }
      if (target.value !== undefined && typeof target.value !== 'number') {
        throw serverError(
          ErrorCode.typeMismatch,
          `Cannot apply $${name} to a value of non-numeric type, field '${target.path}'`,
        );
      }
      write(target, target.value === undefined ? start * operand : compute(target.value as number, operand));
    },
  };
}

function keeping(replaces: (order: number) => boolean): UpdateOperator {
  return {
    creates: true,
    apply(target, operand) {
      if (target.value === undefined || replaces(compareValues(operand, target.value))) write(target, operand);
    },
  };
}

const currentDate: UpdateOperator = {
  creates: true,
  apply(target, operand, _document, moment) {
    const type = isSubdocument(operand) ? operand.$type : operand;
    if (type !== true && type !== 'date') throw new UnsupportedOperationError(`$currentDate of type ${String(type)}`);
    write(target, moment.now());
  },
};

const rename: UpdateOperator = {
  creates: false,
  apply(target, operand, document) {
    if (target.value === undefined) return;
    const destination = locate(document, String(operand), true);
    remove(target);
    if (destination) write(destination, target.value);
  },
};

/** The operators that set, remove or compute one field. */
export const fieldOperators: Record<string, UpdateOperator> = {
  $set: set,
  $setOnInsert: {
    creates: true,
    apply: (target, operand, _document, moment) => {
      if (moment.inserting) write(target, operand);
    },
  },
  $unset: { creates: false, apply: (target) => remove(target) },
  $inc: arithmetic('increment', 1, (value, operand) => value + operand),
  $mul: arithmetic('multiply', 0, (value, operand) => value * operand),
  $min: keeping((order) => order < 0),
  $max: keeping((order) => order > 0),
  $currentDate: currentDate,
  $rename: rename,
};
