import { UnsupportedOperationError } from '../errors.js';

/** Options as the driver's methods take them; unknown ones are mongoose's own and have no meaning here. */
export type OperationOptions = Record<string, unknown>;

/** Options that would change what an operation does and are not supported: never ignored. */
const REFUSED = [
  'session',
  'collation',
  'hint',
  'let',
  'min',
  'max',
  'returnKey',
  'showRecordId',
  'tailable',
  'awaitData',
  'explain',
  'bypassDocumentValidation',
];

/** Throws by name when an option is given that is not supported. */
export function checkOptions(operation: string, options: OperationOptions | undefined | null): OperationOptions {
  if (options === undefined || options === null) return {};
  for (const name of REFUSED) {
    const value = options[name];
    const explainsFind = name === 'explain' && operation === 'find';
    if (value !== undefined && value !== null && value !== false && !explainsFind) {
      throw new UnsupportedOperationError(`the option ${name} of ${operation}`);
    }
  }
  return options;
}

/** A count such as `limit`; MongoDB takes a negative limit as its absolute value. */
export function countOption(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.abs(Math.trunc(value)) : 0;
}
