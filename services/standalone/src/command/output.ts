import type { Terminal } from './terminal.js';

type Row = Readonly<Record<string, unknown>>;

/** Prints a list: JSON for programs, else the named columns for people. */
export function printList(terminal: Terminal, rows: readonly Row[], columns: readonly string[], json: boolean): void {
  if (json) terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) terminal.out('Nothing there.\n');
  else terminal.out(tableOf(rows, columns));
}

function tableOf(rows: readonly Row[], columns: readonly string[]): string {
  const table = [
    columns.map((column) => column.replaceAll('_', ' ')),
    ...rows.map((row) => columns.map((column) => cell(row[column]))),
  ];
  const widths = columns.map((_column, at) => Math.max(...table.map((line) => (line[at] as string).length)));
  const lines = table.map((line) => line.map((text, at) => text.padEnd(widths[at] as number)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** One line, without what could steer a terminal: mails and events hold texts from outside. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
  return String(value).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}
