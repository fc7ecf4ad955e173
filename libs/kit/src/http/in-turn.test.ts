import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '../logger.js';
import { Problem } from '../problem.js';
import { inTurn, type Step } from './in-turn.js';

const lines: string[] = [];
const logger = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });

const mark: Step = (_request, response, next) => {
  response.setHeader('x-first', 'seen');
  next();
};
const by: Record<string, Step> = {
  '/answers': (_request, response) => response.end('done'),
  '/hands-on': (_request, _response, next) => next(),
  '/refuses': (_request, _response, next) => next(new Problem('forbidden')),
  '/fails-as-express-does': (_request, _response, next) => next(Object.assign(new Error('too much'), { status: 413 })),
  '/throws': () => {
    throw new Error('a secret of the house');
  },
};
const choose: Step = (request, response, next) => by[request.url ?? '']?.(request, response, next);
const last: Step = (request, response, next) => (request.url === '/hands-on' ? next() : response.end('last'));

const server = createServer(inTurn(logger, mark, choose, last));
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

async function get(path: string) {
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  return { status: answer.status, first: answer.headers.get('x-first'), text: await answer.text() };
}

test('a step answers, or hands on; what nobody answers is not found', async () => {
  expect(await get('/answers')).toEqual({ status: 200, first: 'seen', text: 'done' });
  expect(await get('/hands-on')).toMatchObject({
    status: 404,
    first: 'seen',
    text: expect.stringContaining('not-found'),
  });
});

test('a refusal of a step, one of express and an error thrown are answered in the one form, and the process lives on', async () => {
  expect(await get('/refuses')).toMatchObject({ status: 403, text: expect.stringContaining('"code":"forbidden"') });
  expect(await get('/fails-as-express-does')).toMatchObject({
    status: 413,
    text: expect.stringContaining('too-large'),
  });
  const thrown = await get('/throws');
  expect(thrown).toMatchObject({ status: 500, first: 'seen', text: expect.stringContaining('internal-error') });
  expect(thrown.text).not.toContain('secret');
  expect(lines.join('')).toContain('a secret of the house');
  expect(await get('/answers')).toMatchObject({ status: 200 });
});
