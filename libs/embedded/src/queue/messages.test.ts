import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { READY } from './messages.js';
import { QueueFile } from './queue-file.js';

test('looking for something to claim goes through no backlog: by an index to the first message, by another to those that met crashes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-messages-'));
  const queue = await QueueFile.open(join(folder, 'queue.db'));
  const plan = queue.file.explain(READY, 'mail', 0, 'owner', 'mail', 0, 'owner');
  expect(plan.filter((line) => /^(SEARCH|SCAN) messages/.test(line))).toEqual([
    expect.stringMatching(/^SEARCH messages USING INDEX messages_of_queue \(queue=\? AND dead=\?/),
    expect.stringMatching(/^SEARCH messages USING INDEX crashed_messages \(queue=\? AND dead=\?/),
  ]);
  await queue.close();
  rmSync(folder, { recursive: true, force: true });
});
