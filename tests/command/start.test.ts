// The one file that `npm start` runs, made by scripts/bundle.mjs, and what V8 compiled of it.
import { readFileSync, writeFileSync } from 'node:fs';
import { eventually } from '../support/eventually.js';
import { keptCode } from '../support/kept-code.js';
import { StandaloneProcess } from '../support/standalone-process.js';

jest.setTimeout(120_000);

let system: StandaloneProcess;
beforeAll(async () => {
  system = await StandaloneProcess.create();
});
afterEach(() => system.kill());
afterAll(() => system.dispose());

test('what modules read from files beside them is found from the one file: pages, document', async () => {
  await system.start();
  const page = (path: string) => fetch(`${system.url}${path}`, { headers: { accept: 'text/html' } });
  for (const path of ['/login', '/admin', '/docs']) {
    const text = await (await page(path)).text();
    const parts = [...text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map((match) => match[1] as string);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect([part, (await page(part)).status]).toEqual([part, 200]);
  }
  expect((await page('/openapi.json')).status).toBe(200);
  expect((await system.client().post('/login', system.adminCredentials)).status).toBe(200);
});

test.each([
  ['cut off', (whole: Buffer) => whole.subarray(0, 1_000)],
  ['empty', () => Buffer.alloc(0)],
  ['overwritten', (whole: Buffer) => Buffer.alloc(whole.length, 7)],
])('kept code that is %s is not taken, and is made anew', async (_how, damaged) => {
  await system.start();
  const path = await eventually('kept code', keptCode, 60_000);
  const whole = readFileSync(path);
  await system.kill();
  writeFileSync(path, damaged(whole));
  await system.start();
  expect((await system.client().post('/login', system.adminCredentials)).status).toBe(200);
  await eventually(
    'whole code',
    () => readFileSync(path).length > 100_000 && readFileSync(path)[0] === whole[0],
    60_000,
  );
});
