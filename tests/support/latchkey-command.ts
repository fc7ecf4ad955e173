import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const main = resolve(__dirname, '../../services/standalone/dist/command.main.js');

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the compiled `latchkey <words>` as a process of its own, with these settings and nothing else of ours. */
export function latchkey(
  words: readonly string[],
  o: { environment: Readonly<Record<string, string>>; input?: string; signal?: AbortSignal },
): Promise<CommandResult> {
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...o.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(o.signal && { signal: o.signal, killSignal: 'SIGKILL' }),
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  // One that asks for nothing may have ended before.
  child.stdin.on('error', () => undefined);
  child.stdin.end(o.input ?? '');
  return new Promise((done, fail) => {
    child.once('error', (error) => (o.signal?.aborted ? undefined : fail(error)));
    child.once('close', (code) => done({ code, out, err }));
  });
}
