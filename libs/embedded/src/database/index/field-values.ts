import { isSubdocument, type StoredDocument } from '../storage/value-types.js';

/** What a dotted path finds in a document. */
export interface FieldValues {
  /** One entry per place the path leads to; undefined where the field is missing. Arrays at the end stay whole. */
  readonly values: unknown[];
  /** True when an array was crossed or found at the end. */
  readonly array: boolean;
}

/**
 * Follows a dotted path as MongoDB does: an array on the way stands for each of its subdocuments, and a number in the
 * path may also name a position.
 */
export function fieldValues(document: StoredDocument, path: string): FieldValues {
  if (!path.includes('.')) {
    const value = Object.hasOwn(document, path) ? document[path] : undefined;
    return { values: [value], array: Array.isArray(value) };
  }
  const found = { values: [] as unknown[], array: false };
  follow(document, path.split('.'), 0, found);
  return found;
}

function follow(
  value: unknown,
  steps: readonly string[],
  at: number,
  found: { values: unknown[]; array: boolean },
): void {
  const step = steps[at];
  if (step === undefined) {
    if (Array.isArray(value)) found.array = true;
    found.values.push(value);
    return;
  }
  if (Array.isArray(value)) {
    found.array = true;
    if (/^\d+$/.test(step) && Number(step) < value.length) follow(value[Number(step)], steps, at + 1, found);
    for (const item of value) if (isSubdocument(item)) follow(item, steps, at, found);
    return;
  }
  if (isSubdocument(value) && Object.hasOwn(value, step)) follow(value[step], steps, at + 1, found);
  else found.values.push(undefined);
}
