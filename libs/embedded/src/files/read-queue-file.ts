import { SqliteFile } from '../database/storage/sqlite-file.js';

/** A message as it lies in the file, whatever became of it so far. */
export interface StoredMessage {
  readonly queue: string;
  readonly body: Buffer;
  /** Set aside, and not yet taken over into its service's dead letters. */
  readonly dead: boolean;
}

/** Everything in a queue file that nobody else uses, in order of arrival. A delivery that was under way counts as not handled. */
export function readQueueFile(path: string): StoredMessage[] {
  const file = new SqliteFile(path);
  try {
    return file
      .all('SELECT queue, body, dead FROM messages ORDER BY seq')
      .map(([queue, body, dead]) => ({ queue: String(queue), body: body as Buffer, dead: dead === 1 }));
  } finally {
    file.close();
  }
}
