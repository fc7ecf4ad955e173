import { readFileSync } from 'node:fs';
import { familyOf } from './cpu-time.js';

/** Proportional set size of a process and its children, in MiB; undefined where the system does not tell (anything but Linux). */
export function proportionalSetSize(pid: number): number | undefined {
  try {
    const kilobytes = familyOf(pid).map((one) =>
      Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))?.[1]),
    );
    return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
  } catch {
    return undefined;
  }
}
