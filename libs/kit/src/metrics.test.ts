import { createMetrics } from './metrics.js';

test('services of one process keep their metrics apart and share the process’s own', async () => {
  const [a, b] = [createMetrics('a'), createMetrics('b')];
  a.counter('mails_total', 'Mails', ['state']).inc({ state: 'sent' });
  b.gauge('backlog', 'Waiting', [], (gauge) => gauge.set(3));
  b.histogram('round_seconds', 'A round', [], [1, 2]).observe(1.5);
  const [textA, textB] = [await a.text(), await b.text()];
  expect(textA).toMatch(/mails_total\{.*service="a".*\} 1/);
  expect(textA).not.toContain('backlog');
  expect(textB).toMatch(/backlog\{service="b"\} 3/);
  expect(textB).toMatch(/round_seconds_bucket\{.*le="2".*\} 1/);
  for (const text of [textA, textB]) expect(text.match(/^process_resident_memory_bytes /gm)).toHaveLength(1);
});

test('odd methods do not make labels of their own', async () => {
  const metrics = createMetrics('a');
  metrics.observeRequest('BREW', 'unmatched', 404, 0.1);
  expect(await metrics.text()).toContain('method="other"');
});
