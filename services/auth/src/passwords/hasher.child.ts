import { setPriority } from 'node:os';
import { compare, hash } from 'bcrypt';
import type { HashingJob, HashingResult } from './password-hasher.js';

// Hashing takes whole cores for a quarter of a second each: whoever serves requests goes first (S11). Set before the thread pool exists, which inherits it.
setPriority(10);

// It lives exactly as long as its parent: signals to the whole group are the parent's to answer, which still finishes logins.
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

process.on('message', (job: HashingJob) => {
  run(job).then(
    (value) => answer({ id: job.id, value }),
    (error: Error) => answer({ id: job.id, error: error.message }),
  );
});

function run(job: HashingJob): Promise<string | boolean> {
  return job.kind === 'hash' ? hash(job.secret, job.cost) : compare(job.secret, job.hash);
}

function answer(result: HashingResult): void {
  if (process.connected) process.send?.(result);
}
