import type { Bench } from './bench.js';

/** What one measurement found. `rate`: operations a second. `p50`, `p99`: milliseconds. `cpu`: milliseconds of processor time of the measured processes for one operation. */
export interface Sample {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpu?: number | undefined;
}

/** One line of the table. `ratio` is what `reach` speaks of: ours over the floor, or for a difference ours less the floor. */
export interface Line {
  readonly row: string;
  readonly unit: string;
  readonly ours: number;
  readonly floor: number | null;
  readonly ratio: number;
  readonly reach: { readonly kind: 'at least' | 'at most'; readonly value: number; readonly unit?: string };
  readonly latency?: { readonly ours: readonly [number, number]; readonly floor: readonly [number, number] };
  readonly cpu?: { readonly ours: number; readonly floor: number };
  /** Every ratio that the median was taken of. */
  readonly ratios?: readonly number[];
  readonly note?: string;
}

/** A row of the bench: a file of `rows/`, chosen by its name. */
export interface Row {
  readonly name: string;
  /** What is loaded, and what the floor is, in a sentence. */
  readonly what: string;
  run(bench: Bench): Promise<Line[]>;
}
