import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks on standard error, so that standard output holds results alone; what is typed is not shown. */
export function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('SIGINT', () => reject(new Error('interrupted')));
    lines.once('close', () => reject(new Error('no answer')));
  }).finally(() => {
    lines.close();
    process.stderr.write('\n');
  }) as Promise<string>;
}
