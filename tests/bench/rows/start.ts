import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { eventually } from '../../support/eventually.js';
import { keptCode } from '../../support/kept-code.js';
import { StandaloneProcess } from '../../support/standalone-process.js';
import { median } from '../measure/percentile.js';
import type { Row } from '../row.js';

export const start: Row = {
  name: 'start',
  what: 'exec of the built standalone process to its first healthy answer, on data and with the compiled code that an earlier start kept; floor: node -e 0',
  async run(bench) {
    const standalone = await StandaloneProcess.create();
    bench.atEnd(() => standalone.dispose());
    await standalone.start();
    await eventually('kept code', keptCode, 60_000);
    await standalone.terminate();
    const times = { ours: [] as number[], floor: [await nothing()] };
    for (let round = 0; round < (bench.brief ? 1 : 7); round += 1) {
      const began = performance.now();
      standalone.spawn();
      await healthy(standalone.url);
      times.ours.push(performance.now() - began);
      await standalone.terminate();
      times.floor.push(await nothing());
    }
    const ours = median(times.ours) / 1000;
    const floor = median(times.floor) / 1000;
    const reach = { kind: 'at most', value: 0.4, unit: 's more' } as const;
    return [{ row: 'start', unit: 's', ours, floor, ratio: ours - floor, reach }];
  },
};

async function nothing(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - began;
}

/** Asks again right after each refused connection, but for a pause that costs the other little. */
async function healthy(url: string): Promise<void> {
  while (!(await answersWell(`${url}/health`))) await new Promise((resolve) => setTimeout(resolve, 5));
}

function answersWell(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asking.once('error', () => resolve(false));
    asking.end();
  });
}
