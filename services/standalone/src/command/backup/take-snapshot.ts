import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyConsistently, faultsOfFile } from '@latchkey/embedded';
import { CommandError } from '../terminal.js';

/** The state of what stands in for mail server and payment provider, as far as there is any. */
export function standIns(folder: string): string[] {
  return ['mailbox', 'stripe-simulator'].filter((name) => existsSync(join(folder, name)));
}

/**
 * Copies a data folder that may be in use. Databases and queue as they stood at one instant; the rest after that: secrets only ever gain by a rotation, a mail that is marked as sent already
 * lies in the mailbox, and what the simulator knows of beyond that instant is asked of it again by the reconciler.
 */
export async function takeSnapshot(dataDir: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const names = databasesIn(dataDir);
  await copyConsistently(names.map((name) => ({ from: join(dataDir, name), to: join(to, name) })));
  const faults = names.flatMap((name) => faultsOfFile(join(to, name)).map((fault) => `  ${name}: ${fault}`));
  if (faults.length > 0) throw new CommandError(`${dataDir} is damaged:\n${faults.join('\n')}`);
  const secrets = existsSync(join(dataDir, 'secrets')) ? ['secrets'] : [];
  for (const folder of [...secrets, ...standIns(dataDir)]) {
    mkdirSync(join(to, folder), { mode: 0o700 });
    for (const name of readdirSync(join(dataDir, folder)))
      copyUnlessGone(join(dataDir, folder, name), join(to, folder, name));
  }
}

/** The names of the SQLite files of a data folder; none where there is no folder. */
export function databasesIn(dataDir: string): string[] {
  return existsSync(dataDir)
    ? readdirSync(dataDir)
        .filter((name) => name.endsWith('.db'))
        .sort()
    : [];
}

/** Half-written files are left out; a mail may be removed while the others are copied. */
function copyUnlessGone(from: string, to: string): void {
  if (/\.(tmp|draft)$/.test(from)) return;
  try {
    copyFileSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
