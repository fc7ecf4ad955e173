import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';

/** The database and queue files of the embedded engines (write-ahead logs included) that hold `text`. */
export function filesHolding(dataDir: string, text: string): string[] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => {
    if (!/\.(db|sqlite)(-wal)?$/.test(name)) return false;
    return readFileSync(join(dataDir, name)).includes(text);
  });
}

/** The collections of a MongoDB server, in databases whose names begin with the URI's path, that hold `text` in some document. */
export async function collectionsHolding(uri: string, text: string): Promise<string[]> {
  const prefix = new URL(uri).pathname.slice(1);
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    const holding: string[] = [];
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((database) => database.name.startsWith(`${prefix}_`))) {
      for (const collection of await client.db(name).collections()) {
        const documents = JSON.stringify(await collection.find().toArray());
        if (documents.includes(text)) holding.push(`${name}.${collection.collectionName}`);
      }
    }
    return holding;
  } finally {
    await client.close();
  }
}
