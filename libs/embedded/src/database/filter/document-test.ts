import { Context } from 'mingo/core';
import * as expressionOperators from 'mingo/operators/expression';
import * as queryOperators from 'mingo/operators/query';
import { Query } from 'mingo/query';
import { isOperatorObject, isSubdocument, type StoredDocument } from '../storage/value-types.js';
import { elementMatch } from './element-match.js';
import { expressionComparisons } from './expression-comparisons.js';
import { valueOperators } from './value-operators.js';

/** Says whether a document matches a filter. */
export type DocumentTest = (document: StoredDocument) => boolean;

type Operators = Parameters<Context['addQueryOps']>[0];
type Expressions = Parameters<Context['addExpressionOps']>[0];

/** The first to register an operator wins, so ours come before mingo's. */
const context = Context.init()
  .addQueryOps({ ...valueOperators, $elemMatch: elementMatch } as unknown as Operators)
  .addQueryOps(queryOperators as unknown as Operators)
  .addExpressionOps(expressionComparisons as unknown as Expressions)
  .addExpressionOps(expressionOperators as unknown as Expressions);

type QueryOptions = ConstructorParameters<typeof Query>[1];

/**
 * mingo copies its whole table of operators for every query it is given plain options (a third of the cost of a read),
 * but not for options it has prepared itself. An operator gets those, so a query made once hands them over.
 */
function preparedOptions(): QueryOptions {
  let prepared: QueryOptions | undefined;
  const keep = (_path: string, _operand: unknown, options: QueryOptions) => {
    if (prepared !== undefined) throw new Error('unknown query operator $keepOptions');
    prepared = options;
    return () => true;
  };
  const probing = Context.from(context).addQueryOps({ $keepOptions: keep } as unknown as Operators);
  new Query({ field: { $keepOptions: true } } as never, { context: probing, scriptEnabled: false });
  return prepared ?? { context, scriptEnabled: false };
}

const options = preparedOptions();

/**
 * Compiles a filter. mingo has the last word on every candidate; its comparisons are replaced where they differ from
 * MongoDB's (null inside arrays, types, BSON order in `$expr`). `$$NOW` is the given time.
 */
export function documentTest(filter: StoredDocument, now: () => Date): DocumentTest {
  const conditions = plainConditions(filter);
  if (conditions !== undefined) return (document) => conditions.every((meets) => meets(document));
  const query = new Query<StoredDocument>(withTime(filter, now) as StoredDocument, options);
  return (document) => query.test(document);
}

/**
 * The conditions of a filter that holds nothing but fields with values and with operators that are ours: what mingo would come to, without its way there. Most filters are
 * so simple, and each is compiled for one use.
 */
function plainConditions(filter: StoredDocument): DocumentTest[] | undefined {
  const conditions: DocumentTest[] = [];
  for (const path of Object.keys(filter)) {
    const value = filter[path];
    if (path.startsWith('$') || value instanceof RegExp) return undefined;
    const operators = isOperatorObject(value) ? value : { $eq: value };
    for (const name of Object.keys(operators)) {
      const operator = Object.hasOwn(valueOperators, name) ? valueOperators[name] : undefined;
      if (operator === undefined) return undefined;
      conditions.push(operator(path, operators[name]));
    }
  }
  return conditions;
}

/** Within `$expr`, puts the clock's time where `$$NOW` stands: mingo would read the system's. */
function withTime(filter: unknown, now: () => Date, inExpression = false): unknown {
  if (filter === '$$NOW') return inExpression ? now() : filter;
  if (Array.isArray(filter)) return filter.map((item) => withTime(item, now, inExpression));
  if (!isSubdocument(filter)) return filter;
  const result: StoredDocument = {};
  for (const [key, value] of Object.entries(filter)) {
    result[key] = key === '$literal' ? value : withTime(value, now, inExpression || key === '$expr');
  }
  return result;
}
