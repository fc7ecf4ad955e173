import { readEnvironment, systemClock } from '@latchkey/kit';
import { askHidden } from './ask-hidden.js';
import type { Terminal } from './terminal.js';

/** The terminal that this process was started in. */
export function processTerminal(): Terminal {
  return {
    environment: readEnvironment(),
    clock: systemClock,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    askHidden: process.stdin.isTTY ? askHidden : undefined,
  };
}
