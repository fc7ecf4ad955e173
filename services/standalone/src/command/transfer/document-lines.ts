import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;

/** One document as one line of Extended JSON. Throws for a document that could not be read back as it was. */
export function writeLine(document: object): string {
  const line = BSON.EJSON.stringify(document);
  const again = Buffer.from(BSON.serialize(readLine(line)));
  if (!again.equals(BSON.serialize(document))) throw new Error('a document cannot be told in Extended JSON');
  return `${line}\n`;
}

export function readLine(line: string): mongoose.mongo.BSON.Document {
  return BSON.EJSON.parse(line) as mongoose.mongo.BSON.Document;
}
