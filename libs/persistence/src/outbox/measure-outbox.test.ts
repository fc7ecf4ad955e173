import { createMetrics } from '@latchkey/kit';
import { measureOutbox } from './measure-outbox.js';

test('O1 what waits in outboxes can be scraped, and a database that is away does not hide the other metrics', async () => {
  const metrics = createMetrics('test');
  metrics.counter('other_total', 'Something else').inc();
  let away = false;
  measureOutbox(metrics, {
    async pending() {
      if (away) throw new Error('away');
      return { count: 3, oldestSeconds: 90 };
    },
  });
  const text = await metrics.text();
  expect(text).toMatch(/latchkey_outbox_pending\{.*\} 3/);
  expect(text).toMatch(/latchkey_outbox_oldest_seconds\{.*\} 90/);
  away = true;
  const later = await metrics.text();
  expect(later).toMatch(/latchkey_outbox_pending\{.*\} Nan/i);
  expect(later).toMatch(/other_total\{.*\} 1/);
});
