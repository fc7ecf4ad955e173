import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedDatabase, readQueueFile } from '@latchkey/embedded';
import { writeLine } from './document-lines.js';

/** The databases, as `<service>.db` in a standalone installation and `<name>_<service>` on a server. */
export const databases = ['auth', 'user', 'payment', 'mailer'] as const;

/** Every document of every collection: `<to>/<service>/<collection>.jsonl`. Nobody else may use the files. */
export async function writeDocuments(from: string, to: string): Promise<number> {
  let count = 0;
  for (const service of databases) {
    mkdirSync(join(to, service), { recursive: true, mode: 0o700 });
    const connection = await openEmbeddedDatabase({ file: join(from, `${service}.db`) });
    try {
      for (const { name } of (await connection.db?.listCollections().toArray()) ?? []) {
        const file = join(to, service, `${name}.jsonl`);
        writeFileSync(file, '', { mode: 0o600 });
        for (const document of (await connection.db?.collection(name).find({}).toArray()) ?? []) {
          appendFileSync(file, writeLine(document));
          count += 1;
        }
      }
    } finally {
      await connection.close();
    }
  }
  return count;
}

/** What waits in the queues, one message a line: its queue and its bytes. */
export function writeMessages(from: string, file: string): number {
  const messages = readQueueFile(join(from, 'queue.db'));
  const lines = messages.map(({ queue, body }) => `${JSON.stringify({ queue, body: body.toString('base64') })}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  return messages.length;
}
