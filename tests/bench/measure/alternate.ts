import type { Line, Sample } from '../row.js';
import { median } from './percentile.js';

/** Floor and ours in turns, so that each measurement of ours has one of the floor right before and one right after it. */
export interface Alternation {
  readonly ours: readonly Sample[];
  readonly floors: readonly Sample[];
}

export async function alternate(
  rounds: number,
  floor: (round: number) => Promise<Sample>,
  ours: (round: number) => Promise<Sample>,
): Promise<Alternation> {
  const found = { ours: [] as Sample[], floors: [await floor(0)] };
  for (let round = 0; round < rounds; round += 1) {
    found.ours.push(await ours(round));
    found.floors.push(await floor(round + 1));
  }
  return found;
}

/** Each measurement of ours over the mean of the floor's before and after it. */
export function ratiosOf({ ours, floors }: Alternation, of: (sample: Sample) => number): number[] {
  return ours.map((sample, at) => {
    const beside = (of(floors[at] as Sample) + of(floors[at + 1] as Sample)) / 2;
    return of(sample) / beside;
  });
}

/** The line of a row that counts operations a second. */
export function rateLine(row: string, unit: string, reach: number, found: Alternation): Line {
  const ratios = ratiosOf(found, ({ rate }) => rate);
  const middle = (samples: readonly Sample[], of: (sample: Sample) => number) => median(samples.map(of));
  const { ours, floors } = found;
  const measured = [...ours, ...floors].every(({ cpu }) => cpu !== undefined);
  return {
    row,
    unit,
    ours: middle(ours, ({ rate }) => rate),
    floor: middle(floors, ({ rate }) => rate),
    ratio: median(ratios),
    ratios,
    reach: { kind: 'at least', value: reach },
    latency: {
      ours: [middle(ours, ({ p50 }) => p50), middle(ours, ({ p99 }) => p99)],
      floor: [middle(floors, ({ p50 }) => p50), middle(floors, ({ p99 }) => p99)],
    },
    ...(measured && {
      cpu: { ours: middle(ours, ({ cpu = 0 }) => cpu), floor: middle(floors, ({ cpu = 0 }) => cpu) },
    }),
  };
}
