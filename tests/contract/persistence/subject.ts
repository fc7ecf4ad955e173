import type { Connection } from 'mongoose';

/** A database under test. */
export interface OpenDatabase {
  readonly connection: Connection;
  close(): Promise<void>;
  /** Closes and opens the same data again. */
  reopen?(): Promise<OpenDatabase>;
}

/** Gives the connection that the suite has open; only to be called within a test or hook. */
export type Subject = () => Connection;

/** A name that no other run on the same server uses. */
export function uniqueName(stem: string): string {
  return `${stem}_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
}

/** Runs the same work `count` times at once and returns what each gave. */
export function atOnce<T>(count: number, work: (index: number) => PromiseLike<T>): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)));
}
