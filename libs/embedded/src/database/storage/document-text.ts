import { Binary, Decimal128, Long, ObjectId } from 'bson';
import { UnsupportedOperationError } from '../errors.js';
import { bsonTypeOf, isSubdocument, type StoredDocument } from './value-types.js';

/**
 * Documents are stored as relaxed Extended JSON (`{"$date":"…Z"}`, `{"$oid":"…"}`, `{"$binary":{…}}`), with one addition:
 * a subdocument whose own first key starts with `$` is wrapped as `{"$literal":{…}}`, so that data from outside
 * (a payment provider's metadata) can never be read back as another type.
 */
export function writeDocumentText(document: StoredDocument): string {
  const plain: StoredDocument = {};
  for (const key of Object.keys(document)) plain[key] = toPlain(document[key]);
  return JSON.stringify(plain);
}

/** The reverse of {@link writeDocumentText}. */
export function readDocumentText(text: string): StoredDocument {
  const document = JSON.parse(text) as StoredDocument;
  reviveFields(document);
  return document;
}

function toPlain(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return { $numberDouble: '-0.0' };
    return Number.isFinite(value) ? value : { $numberDouble: String(value) };
  }
  if (typeof value === 'bigint') return { $numberLong: value.toString() };
  if (typeof value !== 'object') return undefined;
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toPlain(item)));
  if (value instanceof Date) return { $date: dateText(value) };
  if (value instanceof RegExp) return { $regularExpression: { pattern: value.source, options: value.flags } };
  const type = bsonTypeOf(value);
  if (type !== undefined) return bsonToPlain(type, value);
  return subdocumentToPlain(value as StoredDocument);
}

function subdocumentToPlain(value: StoredDocument): unknown {
  const keys = Object.keys(value);
  const plain: StoredDocument = {};
  for (const key of keys) plain[key] = toPlain(value[key]);
  return keys[0]?.startsWith('$') ? { $literal: plain } : plain;
}

function bsonToPlain(type: string, value: object): unknown {
  if (type === 'ObjectId') return { $oid: (value as ObjectId).toHexString() };
  if (type === 'Binary') {
    const binary = value as Binary;
    return { $binary: { base64: binary.toString('base64'), subType: binary.sub_type.toString(16).padStart(2, '0') } };
  }
  if (type === 'Long') return { $numberLong: (value as Long).toString() };
  if (type === 'Decimal128') return { $numberDecimal: (value as Decimal128).toString() };
  throw new UnsupportedOperationError(`storing a value of type ${type}`);
}

/** Milliseconds outside the years that ISO text sorts and parses for are written as a number, as relaxed EJSON does. */
function dateText(date: Date): unknown {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new UnsupportedOperationError('storing an invalid date');
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? date.toISOString() : { $numberLong: String(time) };
}

function reviveFields(container: StoredDocument | unknown[]): void {
  const fields = container as StoredDocument;
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value !== null && typeof value === 'object') fields[key] = revive(value);
  }
}

function revive(value: object): unknown {
  if (!Array.isArray(value)) {
    for (const key in value) {
      if (key.startsWith('$')) return reviveTyped(key, (value as StoredDocument)[key]);
      break;
    }
  }
  reviveFields(value as StoredDocument);
  return value;
}

function reviveTyped(type: string, content: unknown): unknown {
  switch (type) {
    case '$date':
      return new Date(typeof content === 'string' ? content : Number((content as { $numberLong: string }).$numberLong));
    case '$oid':
      return ObjectId.createFromHexString(content as string);
    case '$binary': {
      const { base64, subType } = content as { base64: string; subType: string };
      return new Binary(Buffer.from(base64, 'base64'), Number.parseInt(subType, 16));
    }
    case '$numberLong':
      return Long.fromString(content as string);
    case '$numberDouble':
      return Number(content);
    case '$numberDecimal':
      return Decimal128.fromString(content as string);
    case '$regularExpression': {
      const { pattern, options } = content as { pattern: string; options: string };
      return new RegExp(pattern, options);
    }
    case '$literal':
      if (isSubdocument(content)) reviveFields(content);
      return content;
    default:
      throw new Error(`the stored document holds the unknown type ${type}`);
  }
}
