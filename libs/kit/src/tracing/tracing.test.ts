import { createLogger } from '../logger.js';
import { createTracing } from './create-tracing.js';
import { currentTraceparent, inSpan, type SpanStart, type Tracer, useTracer } from './tracing.js';

afterEach(() => useTracer(undefined));

const started: SpanStart[] = [];
const fake: Tracer = {
  async inSpan(start, work) {
    started.push(start);
    return work({ set: () => undefined, fail: () => undefined });
  },
  traceparent: () => `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
  ids: () => ({ trace_id: 'ab'.repeat(16), span_id: 'cd'.repeat(8) }),
};

test('without a tracer work runs as it is, and nothing is worked out for a span', async () => {
  const start = jest.fn();
  expect(await inSpan(start, async () => 7)).toBe(7);
  await expect(inSpan(start, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([start.mock.calls.length, currentTraceparent()]).toEqual([0, undefined]);
});

test('with one, work is told what it is part of, and so are log lines', async () => {
  useTracer(fake);
  const lines: string[] = [];
  const logger = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  await inSpan(
    () => ({ name: 'GET /thing', kind: 'server' }),
    async () => logger.info({ requestId: 'request-0001' }, 'request'),
  );
  expect(started).toEqual([{ name: 'GET /thing', kind: 'server' }]);
  expect(JSON.parse(lines[0] as string)).toMatchObject({ trace_id: 'ab'.repeat(16), span_id: 'cd'.repeat(8) });
  useTracer(undefined);
  logger.info('another');
  expect(lines[1]).not.toContain('trace_id');
});

test('without an endpoint nothing is loaded', async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const config = { otlpEndpoint: undefined, otlpHeaders: undefined, traceRatio: 1 };
  const tracing = createTracing({ config, service: 'test', messagingSystem: 'sqlite', logger });
  jest.doMock('./open-telemetry.js', () => {
    throw new Error('it was loaded');
  });
  await tracing.start();
  await tracing.stop();
  await expect(
    createTracing({
      config: { ...config, otlpEndpoint: 'http://127.0.0.1:1' },
      service: 'test',
      messagingSystem: 'sqlite',
      logger,
    }).start(),
  ).rejects.toThrow('it was loaded');
});
