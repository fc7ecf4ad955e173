import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { operatorName } from './operator-name.js';
import type { Terminal } from './terminal.js';

/**
 * The audit line of what the command does without asking a service, which would log it: one JSON line in `<dataDir>/operations.log` (mode 0600), or on
 * standard error where there is no data folder. `details` never hold a secret.
 */
export function recordOperation(terminal: Terminal, dataDir: string, action: string, details: object): void {
  const time = new Date(terminal.clock.now()).toISOString();
  const line = `${JSON.stringify({ time, audit: 'operator', action, ...details, by: operatorName() })}\n`;
  if (existsSync(dataDir)) appendFileSync(join(dataDir, 'operations.log'), line, { mode: 0o600 });
  else terminal.err(line);
}
