import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { throttleModel } from '@latchkey/persistence';
import { openTestDatabase } from '@latchkey/tests';
import type { Connection } from 'mongoose';
import { createFailureCounter } from './failure-counter';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-failures-'));
/** Each look at it is a millisecond later than the one before, as it is for requests that come at once. */
let now = Date.parse('2030-01-01T12:00:00Z');
const clock = { now: () => (now += 1) };
let connection: Connection;

beforeAll(async () => {
  connection = await openTestDatabase({ file: join(folder, 'failures.db'), clock });
});
afterAll(async () => {
  await connection.close();
  rmSync(folder, { recursive: true, force: true });
});

test('S23 those that come at once, and are fewer than cost nothing, are never told to wait for one another', async () => {
  const model = throttleModel(connection);
  await model.init();
  const failures = createFailureCounter({ model, clock, scale: 20 });
  for (let round = 0; round < 20; round++) {
    const key = `account${round}`;
    // One turn of the event loop after the other, so that some come between another's steps.
    const late = async (turns: number) => {
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await failures.reserve(key);
    };
    await Promise.all(Array.from({ length: 50 }, (_, turns) => late(turns)));
    expect((await model.findById(`login-failures-per-account:${key}`).lean())?.count).toBe(50);
    await failures.forget(key);
  }
});
