import type { Binary, Decimal128, Long, ObjectId } from 'bson';
import { UnsupportedOperationError } from '../errors.js';
import { bsonTypeOf, type StoredDocument } from '../storage/value-types.js';

/** First byte of a key: MongoDB's order of types. Every key starts with a byte between 0x01 and 0xfe. */
export const TypeByte = {
  minKey: 0x05,
  emptyArray: 0x0f,
  null: 0x10,
  notANumber: 0x1f,
  number: 0x20,
  string: 0x30,
  object: 0x40,
  array: 0x50,
  binary: 0x60,
  objectId: 0x70,
  boolean: 0x80,
  date: 0x90,
  timestamp: 0x94,
  regularExpression: 0x98,
  maxKey: 0xf0,
} as const;

const END = Buffer.from([0]);

/**
 * The value as bytes that sort (memcmp) as MongoDB sorts values. No key is the beginning of another one, so keys may be
 * put one behind the other for a compound index. Throws for types without an order here.
 */
export function encodeKey(value: unknown): Buffer {
  if (value === null || value === undefined) return Buffer.from([TypeByte.null]);
  if (typeof value === 'string') return encodeText(TypeByte.string, value);
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value === 'boolean') return Buffer.from([TypeByte.boolean + (value ? 1 : 0)]);
  if (typeof value === 'bigint') return encodeNumber(Number(value));
  if (value instanceof Date) return orderedDouble(TypeByte.date, value.getTime());
  if (value instanceof RegExp) {
    return Buffer.concat([
      encodeText(TypeByte.regularExpression, value.source),
      encodeText(TypeByte.string, value.flags),
    ]);
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([TypeByte.array]), ...value.map(encodeKey), END]);
  const type = bsonTypeOf(value);
  return type === undefined ? encodeSubdocument(value as StoredDocument) : encodeBson(type, value as object);
}

/** Compares as MongoDB sorts; a missing value counts as null. */
export function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number' && !Number.isNaN(left - right)) return left - right;
  return Buffer.compare(encodeKey(left), encodeKey(right));
}

/** Equality as MongoDB tests it: by type and value, fields of subdocuments in order. */
export function equalValues(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const primitive = (value: unknown) => value === null || typeof value !== 'object';
  if (primitive(left) && primitive(right) && typeof left === typeof right && !Number.isNaN(left)) return false;
  return encodeKey(left).equals(encodeKey(right));
}

/** The first byte of the value's key, numbers that are none included in the numbers. */
export function typeByteOf(value: unknown): number {
  const first = encodeKey(value)[0] ?? 0;
  if (first === TypeByte.notANumber) return TypeByte.number;
  return first === TypeByte.boolean + 1 ? TypeByte.boolean : first;
}

function encodeNumber(value: number): Buffer {
  return Number.isNaN(value) ? Buffer.from([TypeByte.notANumber]) : orderedDouble(TypeByte.number, value);
}

/** IEEE bytes sort as numbers once the sign bit is flipped, and all bits of a negative number. */
function orderedDouble(type: number, value: number): Buffer {
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = type;
  bytes.writeDoubleBE(value === 0 ? 0 : value, 1);
  const negative = ((bytes[1] ?? 0) & 0x80) !== 0;
  if (!negative) bytes[1] = (bytes[1] ?? 0) | 0x80;
  else for (let at = 1; at < 9; at++) bytes[at] = ~(bytes[at] ?? 0);
  return bytes;
}

/** UTF-8 closed by 00 01; a zero in the text becomes 00 ff, so that no text's key is the beginning of another's. */
function encodeText(type: number, text: string): Buffer {
  const body = text.includes('\0') ? Buffer.from(text).toString('latin1').replaceAll('\0', '\0\xff') : undefined;
  const bytes = body === undefined ? Buffer.from(text) : Buffer.from(body, 'latin1');
  const key = Buffer.allocUnsafe(bytes.length + 3);
  key[0] = type;
  bytes.copy(key, 1);
  key[bytes.length + 1] = 0;
  key[bytes.length + 2] = 1;
  return key;
}

function encodeSubdocument(value: StoredDocument): Buffer {
  const parts: Buffer[] = [Buffer.from([TypeByte.object])];
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const key = encodeKey(field);
    parts.push(encodeText(key[0] ?? 0, name), key);
  }
  parts.push(END);
  return Buffer.concat(parts);
}

function encodeBson(type: string, value: object): Buffer {
  switch (type) {
    case 'ObjectId':
      return Buffer.concat([Buffer.from([TypeByte.objectId]), (value as ObjectId).id]);
    case 'Binary': {
      const bytes = (value as Binary).value();
      const head = Buffer.alloc(6, TypeByte.binary);
      head.writeUInt32BE(bytes.length, 1);
      head[5] = (value as Binary).sub_type;
      return Buffer.concat([head, bytes]);
    }
    case 'Long':
      return encodeNumber((value as Long).toNumber());
    case 'Decimal128':
      return encodeNumber(Number((value as Decimal128).toString()));
    case 'MinKey':
      return Buffer.from([TypeByte.minKey]);
    case 'MaxKey':
      return Buffer.from([TypeByte.maxKey]);
    default:
      throw new UnsupportedOperationError(`comparing a value of type ${type}`);
  }
}
