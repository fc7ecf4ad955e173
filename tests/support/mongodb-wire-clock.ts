import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** Sets the time that `mongodb-wire.py` reads (milliseconds since 1970, standing still), or gives it back to the system's clock. */
export function writeClock(file: string, now: number | null): void {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT);
  try {
    // In one write and without truncation: the server may read at any moment.
    writeSync(descriptor, String(now === null ? '' : Math.floor(now)).padEnd(20), 0);
  } finally {
    closeSync(descriptor);
  }
}
