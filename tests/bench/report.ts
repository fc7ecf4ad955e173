import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import type { Line } from './row.js';

export function isReached({ ratio, reach }: Line): boolean {
  return reach.kind === 'at least' ? ratio >= reach.value : ratio <= reach.value;
}

const headings = [
  'row',
  'ours',
  'floor',
  'ratio',
  'reach',
  '',
  'p50/p99 ours',
  'p50/p99 floor',
  'CPU/op ours',
  'floor',
];

/** The table for people. */
export function table(lines: readonly Line[]): string {
  const cells = [headings, ...lines.map(cellsOf)];
  const widths = headings.map((_heading, column) => Math.max(...cells.map((row) => (row[column] as string).length)));
  const text = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd(),
  );
  const notes = lines.flatMap(({ row, note }) => (note === undefined ? [] : [`${row}: ${note}`]));
  return [...text, ...notes].join('\n');
}

function cellsOf(line: Line): string[] {
  const { reach, latency, cpu } = line;
  const times = (pair: readonly [number, number] | undefined) =>
    pair && !pair.some(Number.isNaN) ? `${shown(pair[0])}/${shown(pair[1])} ms` : '';
  return [
    line.row,
    `${shown(line.ours)} ${line.unit}`,
    line.floor === null ? '–' : shown(line.floor),
    shown(line.ratio),
    `${reach.kind === 'at least' ? '≥' : '≤'} ${reach.value}${reach.unit ? ` ${reach.unit}` : ''}`,
    isReached(line) ? 'yes' : 'NO',
    times(latency?.ours),
    times(latency?.floor),
    cpu ? `${shown(cpu.ours)} ms` : '',
    cpu ? `${shown(cpu.floor)} ms` : '',
  ];
}

function shown(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(Math.abs(value) < 1 ? 3 : digits);
}

/** The same for programs, with what the machine was. */
export function writeJson(file: string, lines: readonly Line[], brief: boolean): void {
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model,
    cores: availableParallelism(),
    loadAverage: loadavg(),
  };
  mkdirSync(dirname(file), { recursive: true });
  const rows = lines.map((line) => ({ ...line, reached: isReached(line) }));
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), brief, machine, rows }, null, 2)}\n`);
}
