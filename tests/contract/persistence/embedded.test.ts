import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '@latchkey/embedded';
import { describePersistence } from './persistence.suite';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-persistence-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describePersistence('the embedded database', async () => {
  const connection = await openEmbeddedDatabase({ file: join(folder, 'suite.sqlite'), refuseUnindexedFilters: true });
  return { connection, close: () => connection.close() };
});
