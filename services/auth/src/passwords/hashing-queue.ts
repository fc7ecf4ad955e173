import { Problem } from '@latchkey/kit';
import type { HashingJob, HashingResult } from './password-hasher.js';

type JobRequest = HashingJob extends infer J ? (J extends HashingJob ? Omit<J, 'id'> : never) : never;

interface Waiting {
  readonly job: HashingJob;
  readonly resolve: (value: string | boolean) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  startedAt: number;
  /** How often a worker died with it. */
  lost: number;
}

export interface HashingQueueOptions {
  /** Jobs that the worker has at once, those that it keeps ready included. */
  readonly concurrency: number;
  /** Jobs that wait at most; past it new ones are refused (S11). */
  readonly maxQueue: number;
  /** Hands a job to the worker; false when there is none now: the job waits. */
  readonly send: (job: HashingJob) => boolean;
}

/** Which jobs run and which wait. Knows nothing of processes; its owner tells it of results and of dead workers. */
export class HashingQueue {
  private readonly waiting: Waiting[] = [];
  private readonly running = new Map<number, Waiting>();
  private idle: (() => void)[] = [];
  private nextId = 1;

  constructor(private readonly options: HashingQueueOptions) {}

  submit(request: JobRequest, timeout: number): Promise<string | boolean> {
    if (timeout <= 0) return Promise.reject(tooBusy());
    if (this.waiting.length >= this.options.maxQueue) return Promise.reject(tooBusy());
    return new Promise((resolve, reject) => {
      const job = { ...request, id: this.nextId++ } as HashingJob;
      const timer = setTimeout(() => this.giveUp(job.id), timeout);
      this.waiting.push({ job, resolve, reject, timer, startedAt: 0, lost: 0 });
      this.pump();
    });
  }

  /** Gives jobs to the worker while it has room. */
  pump(): void {
    while (this.running.size < this.options.concurrency) {
      const next = this.waiting[0];
      if (!next || !this.options.send(next.job)) return;
      this.waiting.shift();
      next.startedAt = performance.now();
      this.running.set(next.job.id, next);
    }
  }

  settle(result: HashingResult): void {
    const done = this.running.get(result.id);
    if (!done) return;
    this.running.delete(result.id);
    clearTimeout(done.timer);
    if ('value' in result) done.resolve(result.value);
    else done.reject(new Problem('service-unavailable', { cause: new Error(`Hashing failed: ${result.error}`) }));
    this.pump();
    this.tellIdle();
  }

  /** The worker died: its jobs go first again, once; a job that takes workers down with it is given up. */
  workerDied(): void {
    for (const job of [...this.running.values()].reverse()) {
      this.running.delete(job.job.id);
      job.lost++;
      if (job.lost < 2) this.waiting.unshift(job);
      else this.fail(job, new Problem('service-unavailable', { cause: new Error('The hashing process died twice') }));
    }
    this.tellIdle();
  }

  /** How long the oldest running job has run, in ms. */
  longestRun(): number {
    const [oldest] = this.running.values();
    return oldest ? performance.now() - oldest.startedAt : 0;
  }

  get length(): number {
    return this.waiting.length;
  }

  /** Resolves when nothing runs and nothing waits. */
  drained(): Promise<void> {
    if (this.running.size + this.waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  /** Nobody waits for it any more. A running job cannot be called back: its result is dropped, its room stays taken until then. */
  private giveUp(id: number): void {
    this.running.get(id)?.reject(tooBusy());
    const at = this.waiting.findIndex((entry) => entry.job.id === id);
    if (at >= 0) this.waiting.splice(at, 1)[0]?.reject(tooBusy());
    this.tellIdle();
  }

  private fail(job: Waiting, error: Error): void {
    clearTimeout(job.timer);
    job.reject(error);
  }

  private tellIdle(): void {
    if (this.running.size + this.waiting.length > 0) return;
    for (const resolve of this.idle.splice(0)) resolve();
  }
}

function tooBusy(): Problem {
  return new Problem('overloaded', { retryAfter: 1 });
}
