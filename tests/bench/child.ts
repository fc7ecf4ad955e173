import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import type { Bench } from './bench.js';

const hook = resolve(__dirname, '../support/ts-hook.cjs');

/** A process of the bench beside this one: a floor, or a part of ours that no service shows alone. */
export interface Child {
  readonly pid: number;
  ask<T>(question: string, argument?: unknown): Promise<T>;
}

/** `module`: relative to this folder, without its extension; it calls `answerParent`. Ended with the row. */
export function startChild(bench: Bench, module: string, env: Record<string, string> = {}): Child {
  const child = fork(resolve(__dirname, `${module}.ts`), [], {
    execArgv: ['-r', hook],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    // Compiled at its first request for a TypeScript file, with the packages it names, as this process itself is.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let asked = 0;
  child.on('message', ({ id, value, error }: { id: number; value: never; error?: string }) => {
    const question = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) question?.resolve(value);
    else question?.reject(new Error(`${module}: ${error}`));
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${module} ended (${code ?? signal})`));
  });
  bench.atEnd(() => {
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    return gone;
  });
  return {
    pid: child.pid as number,
    ask: (question, argument) =>
      new Promise((resolveAnswer, reject) => {
        asked += 1;
        waiting.set(asked, { resolve: resolveAnswer, reject });
        child.send({ id: asked, question, argument });
      }),
  };
}
