import mongoose from 'mongoose';

/** MongoDB's error codes that the services or mongoose look at. */
export const ErrorCode = {
  badValue: 2,
  typeMismatch: 14,
  pathNotViable: 28,
  conflictingUpdate: 40,
  immutableField: 66,
  indexNotFound: 27,
  indexOptionsConflict: 85,
  indexKeySpecsConflict: 86,
  duplicateKey: 11000,
} as const;

/** An error as MongoDB's server answers it (`MongoServerError` with `code`), so that callers need one check for both. */
export function serverError(code: number, message: string, details: Record<string, unknown> = {}): Error {
  return new mongoose.mongo.MongoServerError({ ...details, message, errmsg: message, code });
}

/** A write hit a unique index: code 11000 with `keyPattern` and `keyValue`, as MongoDB reports it (P16). */
export function duplicateKey(
  collection: string,
  index: string,
  keyPattern: Record<string, unknown>,
  keyValue: Record<string, unknown>,
): Error {
  const message = `E11000 duplicate key error collection: ${collection} index: ${index} dup key: ${JSON.stringify(keyValue)}`;
  return serverError(ErrorCode.duplicateKey, message, { keyPattern, keyValue, index: 0 });
}

/** Something MongoDB has and this driver has not. Always thrown, never ignored: silence would corrupt meaning. */
export class UnsupportedOperationError extends Error {
  override readonly name = 'UnsupportedOperationError';
  constructor(what: string) {
    super(`${what} is not supported by the embedded database`);
  }
}

/** In tests: the filter (or sort) would read the whole collection, because no index serves it. */
export class UnindexedFilterError extends Error {
  override readonly name = 'UnindexedFilterError';
}

/**
 * The file cannot be written or read now (locked by another process, disk full, I/O error). Nothing of the write was kept, but where the
 * disk failed at the very flush: then it may or may not outlast a loss of power.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  /** Same labels as MongoDB's driver gives to an error that may be tried again. */
  readonly errorLabels: readonly string[] = ['RetryableWriteError'];
  hasErrorLabel(label: string): boolean {
    return this.errorLabels.includes(label);
  }
}
