import { randomUUID } from 'node:crypto';
import type { Clock } from '@latchkey/kit';
import type { DeadDelivery, Outcome } from '@latchkey/messaging';
import type { SqliteFile, SqlRow } from '../database/storage/sqlite-file.js';

const NOW = "unixepoch('subsec')";
/** Nobody's, or that of somebody who let its lease run out; never the asker's own, which is still under way there. */
const FREE = `(lease_owner IS NULL OR (lease_owner <> ? AND lease_until <= ${NOW}))`;
/** Crashes of the process that held it, one under way counted as soon as its lease has ended. */
const CRASHES = '(crashes + (lease_owner IS NOT NULL))';

/** Crashes after which a message is handled alone, so that it takes no neighbour along (F7). */
export const SUSPECT_AFTER = 3;
/** Crashes after which it is set aside. */
export const DEAD_AFTER = 10;

const claimable = `queue = ? AND dead = 0 AND visible_at <= ? AND ${FREE}`;
const ordinary = `${claimable} AND ${CRASHES} < ${SUSPECT_AFTER}`;
/** By an index of their own, else each look for one would go through the whole backlog. */
const suspect = `${claimable} AND ${CRASHES} >= ${SUSPECT_AFTER} AND crashes >= ${SUSPECT_AFTER - 1}`;

/** Whether there is an ordinary message to claim, and whether a suspect one. */
export const READY = `SELECT (SELECT 1 FROM messages WHERE ${ordinary} LIMIT 1), (SELECT 1 FROM messages WHERE ${suspect} LIMIT 1)`;

export interface Claimed {
  readonly seq: number;
  readonly body: Buffer;
  readonly attempt: number;
  readonly deliveries: number;
}

export interface ClaimedDead {
  readonly seq: number;
  readonly dead: DeadDelivery;
}

/** The statements on one file. Each call is to be run inside a write transaction, except `ready`, `readyDead` and `depths`. */
export class Messages {
  readonly #file: SqliteFile;
  readonly #clock: Clock;
  readonly #leaseSeconds: number;

  constructor(file: SqliteFile, clock: Clock, leaseSeconds: number) {
    this.#file = file;
    this.#clock = clock;
    this.#leaseSeconds = leaseSeconds;
  }

  insert(queue: string, messageId: string, body: Buffer): void {
    this.#file.run(
      'INSERT INTO messages (queue, message_id, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      queue,
      messageId,
      body,
    );
  }

  /** Is there anything to claim? A read, so that an idle queue costs no write. */
  ready(queue: string, owner: string): { ordinary: boolean; suspect: boolean } {
    const row = this.#file.first(READY, queue, this.#now(), owner, queue, this.#now(), owner);
    return { ordinary: row?.[0] === 1, suspect: row?.[1] === 1 };
  }

  claim(queue: string, owner: string, limit: number, kind: 'ordinary' | 'suspect'): Claimed[] {
    const rows = this.#file.all(
      `UPDATE messages SET crashes = ${CRASHES}, lease_owner = ?, lease_until = ${NOW} + ?, deliveries = deliveries + 1
       WHERE seq IN (SELECT seq FROM messages WHERE ${kind === 'ordinary' ? ordinary : suspect} ORDER BY seq LIMIT ?)
       RETURNING seq, body, attempt, deliveries, crashes`,
      owner,
      this.#leaseSeconds,
      queue,
      this.#now(),
      owner,
      limit,
    );
    const claimed: Claimed[] = [];
    for (const row of rows) {
      const message = {
        seq: Number(row[0]),
        body: row[1] as Buffer,
        attempt: Number(row[2]),
        deliveries: Number(row[3]),
      };
      const crashes = Number(row[4]);
      if (crashes < DEAD_AFTER) claimed.push(message);
      else this.#die(message.seq, owner, `its consumer died ${crashes} times while handling it`);
    }
    return claimed;
  }

  renew(owner: string): void {
    this.#file.run(`UPDATE messages SET lease_until = ${NOW} + ? WHERE lease_owner = ?`, this.#leaseSeconds, owner);
  }

  /** `done` counts whoever holds the lease by now; the others only for the holder. */
  settle(seq: number, owner: string, outcome: Outcome): void {
    if (outcome.kind === 'done') this.#file.run('DELETE FROM messages WHERE seq = ?', seq);
    else if (outcome.kind === 'dead') this.#die(seq, owner, outcome.reason);
    else {
      this.#file.run(
        'UPDATE messages SET lease_owner = NULL, lease_until = 0, crashes = 0, visible_at = ?, attempt = attempt + ? WHERE seq = ? AND lease_owner = ?',
        outcome.delay > 0 ? this.#now() + outcome.delay : 0,
        outcome.spendsAttempt ? 1 : 0,
        seq,
        owner,
      );
    }
  }

  /** Gives back what was not finished; no crash is counted. */
  release(owner: string): void {
    this.#file.run('UPDATE messages SET lease_owner = NULL, lease_until = 0 WHERE lease_owner = ?', owner);
  }

  readyDead(queue: string, owner: string): boolean {
    return (
      this.#file.first(`SELECT 1 FROM messages WHERE ${deadAndFree} LIMIT 1`, queue, this.#now(), owner) !== undefined
    );
  }

  claimDead(queue: string, owner: string, limit: number): ClaimedDead[] {
    const rows = this.#file.all(
      `UPDATE messages SET lease_owner = ?, lease_until = ${NOW} + ?
       WHERE seq IN (SELECT seq FROM messages WHERE ${deadAndFree} ORDER BY seq LIMIT ?)
       RETURNING seq, body, reason, attempt, died_at`,
      owner,
      this.#leaseSeconds,
      queue,
      this.#now(),
      owner,
      limit,
    );
    return rows.map((row) => ({ seq: Number(row[0]), dead: toDeadDelivery(queue, row) }));
  }

  /** A dead one that nobody took stays and is offered again after `delay` seconds. */
  keepDead(seq: number, owner: string, delay: number): void {
    this.#file.run(
      'UPDATE messages SET lease_owner = NULL, lease_until = 0, visible_at = ? WHERE seq = ? AND lease_owner = ?',
      this.#now() + delay,
      seq,
      owner,
    );
  }

  depths(): Map<string, { ready: number; delayed: number; dead: number }> {
    const rows = this.#file.all(
      'SELECT queue, sum(dead = 0 AND visible_at <= ?), sum(dead = 0 AND visible_at > ?), sum(dead) FROM messages GROUP BY queue',
      this.#now(),
      this.#now(),
    );
    return new Map(
      rows.map(([queue, ready, delayed, dead]) => [
        String(queue),
        { ready: Number(ready), delayed: Number(delayed), dead: Number(dead) },
      ]),
    );
  }

  /** A read that touches the file; throws when that fails. */
  touch(): void {
    this.#file.first('SELECT seq FROM messages LIMIT 1');
  }

  #die(seq: number, owner: string, reason: string): void {
    this.#file.run(
      `UPDATE messages SET dead = 1, reason = ?, died_at = ?, attempt = attempt + 1, visible_at = 0, lease_owner = NULL, lease_until = 0
       WHERE seq = ? AND lease_owner = ?`,
      reason,
      this.#now(),
      seq,
      owner,
    );
  }

  #now(): number {
    return this.#clock.now() / 1000;
  }
}

const deadAndFree = `queue = ? AND dead = 1 AND visible_at <= ? AND ${FREE}`;

function toDeadDelivery(queue: string, row: SqlRow): DeadDelivery {
  return {
    queue,
    body: row[1] as Buffer,
    reason: String(row[2]),
    attempts: Number(row[3]),
    diedAt: new Date(Number(row[4]) * 1000),
  };
}

/** For bytes that carry no readable id. */
export function anonymousId(): string {
  return `anonymous:${randomUUID()}`;
}
