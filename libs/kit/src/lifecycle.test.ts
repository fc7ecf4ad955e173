import { createLifecycle } from './lifecycle.js';
import { createLogger } from './logger.js';
import type { Component } from './service.js';

function setUp(stopLimit?: number) {
  const story: string[] = [];
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  const part = (name: string, overrides: Partial<Component> = {}): Component => ({
    name,
    start: async () => void story.push(`+${name}`),
    stop: async () => void story.push(`-${name}`),
    ...overrides,
  });
  const lifecycle = createLifecycle({ logger, ...(stopLimit !== undefined && { stopLimit }) });
  return { story, part, lifecycle, log: () => lines.join('') };
}

const never = () => new Promise<void>(() => {});

test('starts in order and stops in reverse, once', async () => {
  const { lifecycle, part, story } = setUp();
  for (const name of ['a', 'b', 'c']) lifecycle.add(part(name));
  await lifecycle.start();
  expect(lifecycle.started).toBe(true);
  await Promise.all([lifecycle.stop(), lifecycle.stop()]);
  expect(story).toEqual(['+a', '+b', '+c', '-c', '-b', '-a']);
  expect(lifecycle.started).toBe(false);
});

test('when one fails to start, those that were started are stopped and its error is told', async () => {
  const { lifecycle, part, story } = setUp();
  const cause = new Error('no port');
  lifecycle.add(part('a'));
  lifecycle.add(part('b', { start: () => Promise.reject(cause) }));
  lifecycle.add(part('c'));
  await expect(lifecycle.start()).rejects.toMatchObject({ message: 'b did not start', cause });
  expect(story).toEqual(['+a', '-a']);
});

test('F6 one that hangs is left behind at the limit, and the others are still told to stop', async () => {
  const { lifecycle, part, story, log } = setUp(0.05);
  lifecycle.add(part('a'));
  lifecycle.add(part('b', { stop: never }));
  lifecycle.add(part('c', { stop: () => Promise.reject(new Error('broken')) }));
  await lifecycle.start();
  await lifecycle.stop();
  expect(story).toEqual(['+a', '+b', '+c', '-a']);
  expect(log()).toContain('did not stop in time');
  expect(log()).toContain('failed to stop');
});

test('F17 a stop while a part still tries to start reaches that part, and what follows is not started', async () => {
  const { lifecycle, part, story } = setUp();
  let giveUp = () => {};
  const connecting = part('b', {
    start: () => new Promise((_resolve, reject) => (giveUp = () => reject(new Error('given up')))),
    stop: async () => giveUp(),
  });
  lifecycle.add(part('a'));
  lifecycle.add(connecting);
  lifecycle.add(part('c'));
  const starting = lifecycle.start();
  await Promise.resolve();
  await Promise.all([lifecycle.stop(), expect(starting).rejects.toThrow('b did not start')]);
  expect(story).toEqual(['+a', '-a']);
});
