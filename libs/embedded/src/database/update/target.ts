import { ErrorCode, serverError } from '../errors.js';
import { isSubdocument, type StoredDocument } from '../storage/value-types.js';

/** The place an update operator writes to: `container[key]`. */
export interface Target {
  readonly path: string;
  readonly container: StoredDocument;
  readonly key: string;
  readonly value: unknown;
}

/**
 * Walks to the place a concrete path (no `$` in it) names. With `create`, missing subdocuments are made on the way, as
 * MongoDB does; without, undefined says that there is no such place. Throws code 28 where a scalar is in the way.
 */
export function locate(document: StoredDocument, path: string, create: boolean): Target | undefined {
  const steps = path.split('.');
  if (steps.some((step) => step === '' || step === '__proto__')) {
    throw serverError(56, `The update path '${path}' contains an empty or forbidden field name`);
  }
  let container: unknown = document;
  for (const [at, key] of steps.entries()) {
    if (!holds(container, key)) {
      if (!create) return undefined;
      const element = JSON.stringify({ [steps[at - 1] ?? '']: container });
      throw serverError(ErrorCode.pathNotViable, `Cannot create field '${key}' in element ${element}`);
    }
    const fields = container as StoredDocument;
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (at === steps.length - 1) return { path, container: fields, key, value };
    if (value === undefined) {
      if (!create) return undefined;
      write({ path, container: fields, key, value }, {});
    }
    container = fields[key];
  }
  return undefined;
}

/** Sets the value; an array grows with nulls up to the position. */
export function write(target: Target, value: unknown): void {
  if (Array.isArray(target.container)) {
    while (target.container.length < Number(target.key)) target.container.push(null);
  }
  target.container[target.key] = value;
}

/** Removes the field; an array keeps its length and gets null there, as in MongoDB. */
export function remove(target: Target): void {
  if (!Object.hasOwn(target.container, target.key)) return;
  if (Array.isArray(target.container)) target.container[target.key] = null;
  else delete target.container[target.key];
}

function holds(container: unknown, key: string): boolean {
  return Array.isArray(container) ? /^\d+$/.test(key) : isSubdocument(container);
}
