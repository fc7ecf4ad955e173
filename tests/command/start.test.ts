// The one file that `npm start` runs, made by scripts/bundle.mjs, and what V8 compiled of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually.js';
import { StandaloneProcess } from '../support/standalone-process.js';

jest.setTimeout(120_000);

const folder = resolve(__dirname, '../../.build/compile-cache');
let system: StandaloneProcess;
beforeAll(async () => {
  system = await StandaloneProcess.create();
});
afterEach(() => system.kill());
afterAll(() => system.dispose());

/** What is kept for the present file and this Node. */
function kept(): string | undefined {
  const bundle = readFileSync(resolve(__dirname, '../../services/standalone/dist/main.bundle.cjs'), 'utf8');
  const build = /\/\/# build (\w+)/.exec(bundle.slice(-100))?.[1] as string;
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const name = names.find((each) => each.startsWith(`standalone-${build}-${process.version}-`));
  return name === undefined ? undefined : join(folder, name);
}

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
  const path = await eventually('kept code', kept, 60_000);
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
