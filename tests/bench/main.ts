// `npm run bench`: measures ours beside the bare floor of the same work and prints a table. `-- <row> …` runs the rows named, `-- --list` names them,
// `-- --brief` measures a little of each, to see that all of it runs, and `-- --json <file>` writes somewhere else than .build/bench.json.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench } from './bench.js';
import { table, writeJson } from './report.js';
import type { Line, Row } from './row.js';
import { rows } from './rows.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    brief: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    json: { type: 'string', default: resolve(__dirname, '../../.build/bench.json') },
  },
});

function chosen(): readonly Row[] {
  const unknown = positionals.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) throw new Error(`No such row: ${unknown.join(', ')}. --list names them.`);
  return positionals.length === 0 ? rows : rows.filter(({ name }) => positionals.includes(name));
}

async function measure(row: Row): Promise<Line[]> {
  const bench = new Bench(values.brief);
  const began = performance.now();
  try {
    return await row.run(bench);
  } finally {
    await bench.end();
    process.stderr.write(`${row.name}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
  }
}

async function main(): Promise<void> {
  if (values.list) {
    for (const { name, what } of rows) process.stdout.write(`${name.padEnd(20)} ${what}\n`);
    return;
  }
  const lines: Line[] = [];
  const broken: string[] = [];
  for (const row of chosen()) {
    // A row that breaks takes none of the others with it, and shows in the exit code.
    const found = await measure(row).catch((error: Error) => {
      process.stderr.write(`${row.name} broke: ${error.stack}\n`);
      broken.push(row.name);
      return [];
    });
    lines.push(...found);
  }
  process.stdout.write(`${table(lines)}\n`);
  writeJson(values.json, lines, values.brief);
  if (broken.length > 0) throw new Error(`These rows did not finish: ${broken.join(', ')}`);
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
