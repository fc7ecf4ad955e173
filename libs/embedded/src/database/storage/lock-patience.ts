import { isBusy } from './sqlite-file.js';

/** How long an operation waits for another process's lock before it fails as unavailable. */
export const LOCK_WAIT_LIMIT_MS = 5_000;
const LONGEST_PAUSE_MS = 20;

/** Resolves after a pause that grows with each attempt; the event loop goes on meanwhile. */
export function pauseBeforeAttempt(attempt: number): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE_MS, 2 ** attempt);
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}

/** Runs `attempt` again while the file is locked by another process, until the limit; then throws the last error. */
export async function whileLocked<T>(attempt: () => T): Promise<T> {
  const deadline = performance.now() + LOCK_WAIT_LIMIT_MS;
  for (let count = 0; ; count++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await pauseBeforeAttempt(count);
  }
}
