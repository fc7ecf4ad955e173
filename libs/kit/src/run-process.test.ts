import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';

/** Lets a child run the sources: compiles each as it is required, like jest does. */
const compiler = `
  const { transformSync } = require('@swc/core');
  const { Module } = require('node:module');
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (name, ...rest) {
    if (name === '@latchkey/contracts') return ${JSON.stringify(require.resolve('@latchkey/contracts'))};
    return resolve.call(this, name.startsWith('.') ? name.replace(/\\.js$/, rest[0]?.filename?.endsWith('.ts') ? '.ts' : '.js') : name, ...rest);
  };
  require.extensions['.ts'] = (module, file) => module._compile(transformSync(require('node:fs').readFileSync(file, 'utf8'), {
    filename: file, jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } }).code, file);
  const { runProcess } = require('${__dirname}/run-process.ts');
  const { createLogger } = require('${__dirname}/logger.ts');
  const { createLifecycle } = require('${__dirname}/lifecycle.ts');
  const { ConfigError } = require('${__dirname}/config/load-config.ts');
  const logger = createLogger({ service: 'child', level: 'info' });
  const lifecycle = createLifecycle({ logger });
  const idle = setInterval(() => {}, 1000);
`;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function run(body: string, stdout: 'pipe' | number = 'pipe', channel: readonly 'ipc'[] = []) {
  const child = spawn(process.execPath, ['-e', compiler + body], { stdio: ['ignore', stdout, 'pipe', ...channel] });
  children.push(child);
  let text = '';
  let waiting: { part: string; resolve: () => void } | undefined;
  const collect = (chunk: Buffer) => {
    text += chunk;
    if (waiting && text.includes(waiting.part)) waiting.resolve();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  // Not `close` of the child: it never comes once a channel was closed from here.
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const closed = [child.stdout, child.stderr].map(
    (stream) => stream && new Promise((done) => stream.once('close', done)),
  );
  const ended = Promise.all([exited, ...closed]).then(([code]) => code);
  return {
    child,
    ended,
    text: () => text,
    says: (part: string) =>
      new Promise<void>((resolve) => {
        waiting = { part, resolve };
        collect(Buffer.alloc(0));
      }),
  };
}

const part = (stop: string) => `
  lifecycle.add({ name: 'part', start: async () => logger.info('is up'), stop: ${stop} });
  runProcess('child', () => ({ logger, lifecycle }));`;

test.each(['SIGTERM', 'SIGINT'] as const)('F6 %s stops gracefully', async (signal) => {
  const { child, says, ended, text } = run(part(`async () => logger.info('cleaned up')`));
  await says('is up');
  child.kill(signal);
  expect(await ended).toBe(0);
  expect(text()).toContain('cleaned up');
});

test('F6 the end of the channel to a supervisor stops gracefully, and does not cut a stop short that a signal began', async () => {
  const one = run(part(`async () => logger.info('cleaned up')`), 'pipe', ['ipc']);
  await one.says('is up');
  one.child.disconnect();
  expect(await one.ended).toBe(0);
  expect(one.text()).toContain('cleaned up');

  const slow = `async () => { logger.info('hanging'); await new Promise((done) => process.once('disconnect', () => setTimeout(done, 200))); logger.info('cleaned up') }`;
  const two = run(part(slow), 'pipe', ['ipc']);
  await two.says('is up');
  two.child.kill('SIGINT');
  await two.says('hanging');
  two.child.disconnect();
  expect(await two.ended).toBe(0);
  expect(two.text()).toContain('cleaned up');
});

test('F6 a second signal exits at once', async () => {
  const { child, says, ended } = run(part(`() => { logger.info('hanging'); return new Promise(() => {}) }`));
  await says('is up');
  child.kill('SIGTERM');
  await says('hanging');
  child.kill('SIGTERM');
  expect(await ended).toBe(1);
});

test.each([
  ['an exception that nobody caught', `setTimeout(() => { throw new Error('lost state') }, 10)`],
  ['a rejection that nobody handled', `void Promise.reject(new Error('lost state'))`],
])('%s is logged as fatal and ends the process', async (_name, code) => {
  const { ended, text } = run(`${part('async () => {}')} ${code}`);
  expect(await ended).toBe(1);
  expect(text()).toMatch(/"level":"fatal".*lost state/);
});

test('a start that fails ends the process with its reason', async () => {
  const { ended, text } = run(`
    lifecycle.add({ name: 'part', start: () => Promise.reject(new Error('no database')), stop: async () => {} });
    runProcess('child', () => ({ logger, lifecycle }));`);
  expect(await ended).toBe(1);
  expect(text()).toMatch(/part did not start.*no database/);
});

test('an unusable configuration is told in plain text', async () => {
  const { ended, text } = run(`
    runProcess('child', () => { throw new ConfigError([{ setting: 'PORT', message: 'must be a number' }]) });`);
  expect(await ended).toBe(1);
  expect(text()).toBe('The configuration is not usable:\n  PORT must be a number\n');
});

test('F22 a full disk under the log does not kill the process, nor keep it from stopping', async () => {
  const { child, says, ended } = run(
    `${part('async () => {}')} setInterval(() => logger.info('x'.repeat(10000)), 1);
     let beats = 0; setInterval(() => { if (++beats === 20) process.stderr.write('still alive') }, 10);`,
    openSync('/dev/full', 'w'),
  );
  await says('still alive');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('F22 a fatal line on a full disk does not stop the process for ever', async () => {
  const { ended } = run(
    `${part('async () => {}')} setTimeout(() => { throw new Error('x') }, 50)`,
    openSync('/dev/full', 'w'),
  );
  expect(await ended).toBe(1);
});

test('F22 a closed pipe under the log does not kill the process', async () => {
  const { child, says, ended } = run(
    `${part('async () => {}')} setInterval(() => logger.info('line'), 1);
     let beats = 0; setInterval(() => { if (++beats === 20) process.stderr.write('still alive') }, 10);`,
  );
  await says('is up');
  child.stdout?.destroy();
  await says('still alive');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
