import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { databaseName } from '@latchkey/hosting';
import type mongoose from 'mongoose';
import { CommandError } from '../terminal.js';
import { readLine } from './document-lines.js';
import { databases } from './write-documents.js';

type Client = mongoose.mongo.MongoClient;
type Database = mongoose.mongo.Db;

/** What tells an import that was broken off from databases that somebody uses. */
const MARK = 'latchkey_import';
const BATCH = 500;
const durably = { writeConcern: { w: 'majority', j: true } } as const;

export interface Import {
  readonly client: Client;
  readonly uri: string;
  /** Names the export: only the same one may go on with what it began. */
  readonly id: string;
}

const databasesOf = ({ client, uri }: Import) =>
  databases.map((service) => ({ service, database: client.db(databaseName(uri, service)) }));

/** Every database is empty, or holds what an import of this very export left when it broke off; else throws. With `force` what is there is dropped. */
export async function claimDatabases(o: Import, force: boolean): Promise<{ resumed: boolean }> {
  const taken: string[] = [];
  let resumed = false;
  for (const { database } of databasesOf(o)) {
    const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    const mark = await database.collection<{ _id: string; done: boolean }>(MARK).findOne({ _id: o.id });
    if (mark?.done === false) resumed = true;
    else if (names.filter((name) => !name.startsWith('system.')).length > 0) {
      if (force) await database.dropDatabase();
      else taken.push(database.databaseName);
    }
  }
  if (taken.length > 0)
    throw new CommandError(
      `Not empty: ${taken.join(', ')}. --force drops what is there; name other databases by the path of MONGODB_URI instead.`,
    );
  for (const { database } of databasesOf(o)) await mark(database, o.id, false);
  return { resumed };
}

/** What is there from here on is in use: this export is not imported once more. */
export async function markDone(o: Import): Promise<void> {
  for (const { database } of databasesOf(o)) await mark(database, o.id, true);
}

async function mark(database: Database, id: string, done: boolean): Promise<void> {
  await database
    .collection<{ _id: string; done: boolean }>(MARK)
    .updateOne({ _id: id }, { $set: { done } }, { upsert: true, ...durably });
}

/** Puts every document in its place by its id, so that doing it again changes nothing; then counts. */
export async function importDocuments(o: Import, folder: string): Promise<number> {
  let count = 0;
  for (const { service, database } of databasesOf(o)) {
    for (const file of readdirSync(join(folder, service)).filter((name) => name.endsWith('.jsonl'))) {
      const collection = file.slice(0, -'.jsonl'.length);
      const imported = await importCollection(database, collection, join(folder, service, file));
      const present = await database.collection(collection).countDocuments();
      if (present !== imported)
        throw new CommandError(
          `${database.databaseName}.${collection} holds ${present} documents instead of ${imported}: does something else write to it?`,
        );
      count += imported;
    }
  }
  return count;
}

async function importCollection(database: Database, name: string, file: string): Promise<number> {
  let count = 0;
  let batch: mongoose.mongo.BSON.Document[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const writes = batch.map((document) => ({
      replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
    }));
    await database.collection(name).bulkWrite(writes, durably);
    count += batch.length;
    batch = [];
  };
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') batch.push(readLine(line));
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return count;
}
