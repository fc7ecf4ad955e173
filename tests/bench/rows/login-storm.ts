import { adminCredentials } from '../../support/system.js';
import { closedLoop } from '../load/closed-loop.js';
import { openLoop } from '../load/open-loop.js';
import { alternate, ratiosOf } from '../measure/alternate.js';
import { median } from '../measure/percentile.js';
import type { Line, Row, Sample } from '../row.js';
import { startStandalone } from '../systems.js';

export const loginStorm: Row = {
  name: 'storm',
  what: 'GET /session at 100/s, open loop, while 8 clients log in back to back; floor: the same without the storm',
  async run(bench) {
    const system = await startStandalone(bench);
    const seconds = bench.seconds(8);
    const calm = () =>
      openLoop({ url: `${system.url}/session`, headers: { cookie: system.cookie }, rate: 100, seconds });
    await calm();
    const found = await alternate(bench.rounds, calm, async () => {
      const storm = closedLoop({
        url: `${system.url}/login`,
        method: 'POST',
        connections: 8,
        headers: { 'content-type': 'application/json' },
        next: () => ({ body: JSON.stringify(adminCredentials) }),
        seconds: seconds + 0.5,
      });
      const [checks] = await Promise.all([calm(), storm]);
      return checks;
    });
    const line = (name: string, of: (sample: Sample) => number, most: number): Line => {
      const ratios = ratiosOf(found, of);
      return {
        row: `session check during a login storm, ${name}`,
        unit: 'ms',
        ours: median(found.ours.map(of)),
        floor: median(found.floors.map(of)),
        ratio: median(ratios),
        ratios,
        reach: { kind: 'at most', value: most },
      };
    };
    return [line('p50', ({ p50 }) => p50, 2), line('p99', ({ p99 }) => p99, 3)];
  },
};
