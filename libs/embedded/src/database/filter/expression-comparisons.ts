import { evalExpr } from 'mingo/core';
import { compareValues } from '../index/key-order.js';
import type { StoredDocument } from '../storage/value-types.js';

type Options = Parameters<typeof evalExpr>[2];
/** An expression operator as mingo calls it. */
type Expression = (document: StoredDocument, operands: unknown, options: Options) => unknown;

/** In `$expr` values of different types compare by BSON's order, and a missing field is less than null. */
function order(left: unknown, right: unknown): number {
  if (left === undefined || right === undefined) return Number(right === undefined) - Number(left === undefined);
  return compareValues(left, right);
}

function comparison(name: string, answer: (order: number) => unknown): Expression {
  return (document, operands, options) => {
    if (!Array.isArray(operands) || operands.length !== 2) throw new Error(`${name} takes two operands`);
    const [left, right] = operands.map((operand) => evalExpr(document, operand as never, options));
    return answer(order(left, right));
  };
}

/** `{ $expr: { $lt: ['$lease.until', '$$NOW'] } }` is true for a document without a lease; mingo alone says false. */
export const expressionComparisons: Record<string, Expression> = {
  $eq: comparison('$eq', (value) => value === 0),
  $ne: comparison('$ne', (value) => value !== 0),
  $gt: comparison('$gt', (value) => value > 0),
  $gte: comparison('$gte', (value) => value >= 0),
  $lt: comparison('$lt', (value) => value < 0),
  $lte: comparison('$lte', (value) => value <= 0),
  $cmp: comparison('$cmp', (value) => Math.sign(value)),
};
