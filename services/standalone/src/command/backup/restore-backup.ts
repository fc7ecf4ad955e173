import { existsSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInUse } from '@latchkey/embedded';
import { syncDirectory } from '../../secrets.js';
import { CommandError, type Terminal } from '../terminal.js';
import type { Manifest } from './manifest.js';
import { readArchive } from './read-archive.js';
import { databasesIn } from './take-snapshot.js';

/** Checks the whole backup first, then swaps folders by renaming them. A process that runs on the folder would go on writing to the old one, so it is refused whatever `force` says. */
export async function restoreBackup(
  terminal: Terminal,
  o: { file: string; dataDir: string; force: boolean },
): Promise<{ manifest: Manifest; replaced: string | undefined }> {
  const target = resolve(o.dataDir);
  const refuseTaken = () => {
    if (databasesIn(target).some((name) => isInUse(join(target, name))))
      throw new CommandError(`A process is running on ${target}. Stop it first.`);
    if (!o.force && existsSync(target) && readdirSync(target).length > 0)
      throw new CommandError(
        `${target} is not empty. --force puts the backup in its place and keeps what is there under another name.`,
      );
  };
  refuseTaken();
  const staging = mkdtempSync(join(dirname(target), `.${basename(target)}-restore-`));
  try {
    const manifest = await readArchive(o.file, 'backup', staging);
    const restored = join(staging, 'data');
    refuseTaken();
    const replaced = moveAside(target, terminal.clock.now());
    renameSync(restored, target);
    syncDirectory(dirname(target));
    return { manifest, replaced };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function moveAside(target: string, now: number): string | undefined {
  if (!existsSync(target)) return undefined;
  if (readdirSync(target).length === 0) {
    rmdirSync(target);
    return undefined;
  }
  const kept = `${target}.before-restore-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  renameSync(target, kept);
  return kept;
}
