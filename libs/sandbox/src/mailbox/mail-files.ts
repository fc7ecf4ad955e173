import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@latchkey/kit';
import { type MailSummary, parseMail, type StoredMail } from './stored-mail.js';

/** Milliseconds since the epoch, then random: sorts by time, and is the file's name, so that it stays the same for ever. */
const idPattern = /^(\d{15})-[0-9a-f]{8}$/;

export interface MailFiles {
  /** Newest first; `to`: only those delivered to this address. */
  list(to?: string): readonly MailSummary[];
  read(id: string): Promise<StoredMail | null>;
  /** The bytes as they were received. */
  readRaw(id: string): Promise<Buffer | null>;
  /** Resolves once the mail is on the disk for good. */
  store(raw: Uint8Array): Promise<string>;
  clear(): Promise<void>;
}

/**
 * Mails as files, one each. A mail appears under its name only when it is complete: it is written beside, flushed, renamed, and the directory is flushed
 * before `store` resolves. The newest `keep` stay.
 */
export async function openMailFiles(options: { directory: string; clock: Clock; keep: number }): Promise<MailFiles> {
  const { directory, clock, keep } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  let latest = 0;
  /** In the order of arrival. */
  const summaries = new Map<string, MailSummary>();

  function nextId(): string {
    latest = Math.max(clock.now(), latest + 1);
    return `${String(latest).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;
  }

  const fileOf = (id: string) => join(directory, `${id}.eml`);

  async function prune(): Promise<void> {
    for (const id of [...summaries.keys()].slice(0, Math.max(0, summaries.size - keep))) {
      summaries.delete(id);
      await rm(fileOf(id), { force: true });
    }
  }

  async function parsed(id: string, raw: Uint8Array): Promise<StoredMail> {
    return parseMail(id, new Date(Number(idPattern.exec(id)?.[1])), raw);
  }

  async function readRaw(id: string): Promise<Buffer | null> {
    return summaries.has(id) ? readFile(fileOf(id)).catch(nullWhenGone) : null;
  }

  for (const id of await leftBehind(directory)) {
    summaries.set(id, summarize(await parsed(id, await readFile(fileOf(id)))));
    latest = Math.max(latest, Number(idPattern.exec(id)?.[1]));
  }
  await prune();

  return {
    list(to) {
      const all = [...summaries.values()].reverse();
      return to === undefined ? all : all.filter((mail) => mail.to.toLowerCase() === to.toLowerCase());
    },
    readRaw,
    async read(id) {
      const raw = await readRaw(id);
      return raw && parsed(id, raw);
    },
    async store(raw) {
      const id = nextId();
      const summary = summarize(await parsed(id, raw));
      await writeDurably(directory, `${id}.eml`, raw);
      summaries.set(id, summary);
      await prune();
      return id;
    },
    async clear() {
      const ids = [...summaries.keys()];
      summaries.clear();
      await Promise.all(ids.map((id) => rm(fileOf(id), { force: true })));
    },
  };
}

function summarize({ id, from, to, subject, receivedAt, messageId, links }: StoredMail): MailSummary {
  return { id, from, to, subject, receivedAt, messageId, links };
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Ids of the complete mails, oldest first; what a dead process left half-written is removed. */
async function leftBehind(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  await Promise.all(
    names.filter((name) => name.endsWith('.tmp')).map((name) => rm(join(directory, name), { force: true })),
  );
  return names
    .filter((name) => name.endsWith('.eml'))
    .map((name) => name.slice(0, -4))
    .filter((id) => idPattern.test(id))
    .sort();
}

async function writeDurably(directory: string, name: string, bytes: Uint8Array): Promise<void> {
  const unfinished = join(directory, `${name}.tmp`);
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(directory, name));
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
