import Database from 'libsql';
import { isBusy } from '../database/storage/sqlite-file.js';

/**
 * Does another process have this SQLite file open? A file in WAL mode is held shared for as long as it is open, which an exclusive lock notices; a process that
 * died holds nothing. Without prepared statements: libsql keeps the lock of a closed connection until those are collected as garbage (found by trial).
 */
export function isInUse(path: string): boolean {
  const database = new Database(path);
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database.close();
  }
}

/** What SQLite finds wrong with a copy that nobody else uses; empty when it is sound. */
export function faultsOfFile(path: string): string[] {
  // Opened bare, so that no log is made beside it.
  const database = new Database(path);
  try {
    const rows = database.prepare('PRAGMA integrity_check').raw(true).all([]) as unknown[][];
    return rows.map(([line]) => String(line)).filter((line) => line !== 'ok');
  } catch (error) {
    return [(error as Error).message];
  } finally {
    database.close();
  }
}
