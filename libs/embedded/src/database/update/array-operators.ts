import { ErrorCode, serverError } from '../errors.js';
import { documentTest } from '../filter/document-test.js';
import { fieldValues } from '../index/field-values.js';
import { compareValues, equalValues } from '../index/key-order.js';
import { isOperatorObject, isSubdocument, type StoredDocument } from '../storage/value-types.js';
import type { UpdateMoment, UpdateOperator } from './field-operators.js';
import { type Target, write } from './target.js';

function arrayAt(target: Target): unknown[] {
  if (target.value === undefined) return [];
  if (Array.isArray(target.value)) return [...target.value];
  throw serverError(ErrorCode.badValue, `The field '${target.path}' must be an array`);
}

const PUSH_MODIFIERS = new Set(['$each', '$slice', '$position', '$sort']);

/** `{ $each: [...], ... }` or a single value. */
function eachOf(operand: unknown, modifiers: ReadonlySet<string>): { each: unknown[]; options: StoredDocument } {
  if (!isSubdocument(operand) || !('$each' in operand)) return { each: [operand], options: {} };
  const unknown = Object.keys(operand).find((key) => !modifiers.has(key));
  if (unknown !== undefined) throw serverError(ErrorCode.badValue, `Unrecognized clause in update: ${unknown}`);
  if (!Array.isArray(operand.$each)) throw serverError(ErrorCode.badValue, 'The argument to $each must be an array');
  return { each: operand.$each, options: operand };
}

const push: UpdateOperator = {
  creates: true,
  apply(target, operand) {
    const { each, options } = eachOf(operand, PUSH_MODIFIERS);
    let items = arrayAt(target);
    items.splice(typeof options.$position === 'number' ? options.$position : items.length, 0, ...each);
    if (options.$sort !== undefined) items.sort(itemOrder(options.$sort));
    const slice = options.$slice;
    if (typeof slice === 'number') items = slice < 0 ? items.slice(slice) : items.slice(0, slice);
    write(target, items);
  },
};

/** `1`, `-1`, or `{ field: 1, other: -1 }` for elements that are subdocuments. */
function itemOrder(sort: unknown): (left: unknown, right: unknown) => number {
  if (!isSubdocument(sort)) return (left, right) => Number(sort) * compareValues(left, right);
  const valueAt = (item: unknown, path: string) =>
    isSubdocument(item) ? fieldValues(item, path).values[0] : undefined;
  return (left, right) => {
    for (const [path, direction] of Object.entries(sort)) {
      const order = compareValues(valueAt(left, path), valueAt(right, path));
      if (order !== 0) return Number(direction) * order;
    }
    return 0;
  };
}

const addToSet: UpdateOperator = {
  creates: true,
  apply(target, operand) {
    const { each } = eachOf(operand, new Set(['$each']));
    const items = arrayAt(target);
    for (const value of each) if (!items.some((item) => equalValues(item, value))) items.push(value);
    write(target, items);
  },
};

function keepOnly(target: Target, keep: (item: unknown) => boolean): void {
  if (target.value === undefined) return;
  const items = arrayAt(target);
  const kept = items.filter(keep);
  if (kept.length < items.length) write(target, kept);
}

const pull: UpdateOperator = {
  creates: false,
  apply(target, operand, _document, moment) {
    const matches = itemTest(operand, moment);
    keepOnly(target, (item) => !matches(item));
  },
};

/** Operators test the element itself, a subdocument is a filter on the element's fields, anything else is a value. */
function itemTest(condition: unknown, moment: UpdateMoment): (item: unknown) => boolean {
  if (isOperatorObject(condition) || condition instanceof RegExp) {
    const test = documentTest({ item: condition }, moment.now);
    return (item) => test({ item });
  }
  if (!isSubdocument(condition)) return (item) => equalValues(item, condition);
  const test = documentTest(condition, moment.now);
  return (item) => isSubdocument(item) && test(item);
}

const pullAll: UpdateOperator = {
  creates: false,
  apply(target, operand) {
    if (!Array.isArray(operand)) throw serverError(ErrorCode.badValue, '$pullAll requires an array argument');
    keepOnly(target, (item) => !operand.some((value) => equalValues(item, value)));
  },
};

const pop: UpdateOperator = {
  creates: false,
  apply(target, operand) {
    if (target.value === undefined) return;
    const items = arrayAt(target);
    if (operand === -1) items.shift();
    else if (operand === 1) items.pop();
    else throw serverError(9, '$pop expects 1 or -1');
    write(target, items);
  },
};

/** The operators that change an array. */
export const arrayOperators: Record<string, UpdateOperator> = {
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
};
