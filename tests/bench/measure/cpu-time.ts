import { readdirSync, readFileSync } from 'node:fs';
import type { Sample } from '../row.js';

/** Clock ticks a second in /proc, which no Linux of today has otherwise. */
const TICKS = 100;

/** Processor time that processes have used so far, in ms, with all their threads. Undefined where /proc does not tell. */
function cpuTime(pids: readonly number[]): number | undefined {
  try {
    return pids.reduce((sum, pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
      return sum + ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
    }, 0);
  } catch {
    return undefined;
  }
}

/** A process and all that descend from it. */
export function familyOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(familyOf)];
  } catch {
    return [pid];
  }
}

/** Measures with the processor time of these processes: a guide that other work on the machine disturbs little. */
export async function withCpu(
  pids: readonly number[],
  measure: () => Promise<Sample & { count: number }>,
): Promise<Sample> {
  const before = cpuTime(pids);
  const { count, ...sample } = await measure();
  const after = cpuTime(pids);
  return { ...sample, cpu: before === undefined || after === undefined ? undefined : (after - before) / count };
}
