import { loadConfig, settings } from '@latchkey/kit';
import type { Command } from 'commander';
import { recordOperation } from '../operations-log.js';
import type { Terminal } from '../terminal.js';
import { restoreBackup } from './restore-backup.js';

const help = `
Everything is as it was when the backup was taken: sessions and passwords of that moment are good again, and what was to be mailed then is mailed.
A data folder that is replaced (--force) is kept beside the new one under another name.`;

/** `restore`. */
export function addRestore(parent: Command, terminal: Terminal): void {
  parent
    .command('restore')
    .description('put a backup in the place of DATA_DIR, of an installation that does not run')
    .argument('<file>', 'that backup wrote')
    .option('--force', 'even if DATA_DIR is not empty')
    .addHelpText('after', help)
    .action(async (file: string, { force = false }: { force?: boolean }) => {
      const { dataDir } = loadConfig({ dataDir: settings.DATA_DIR }, terminal.environment);
      const { manifest, replaced } = await restoreBackup(terminal, { file, dataDir, force });
      recordOperation(terminal, dataDir, 'restore', { file, created_at: manifest.created_at });
      terminal.out(`${dataDir} is as it was at ${manifest.created_at}.\n`);
      if (replaced !== undefined) terminal.out(`What was there before is kept in ${replaced}.\n`);
      if (manifest.secrets_elsewhere.length > 0)
        terminal.out(`The environment must give what it gave then: ${manifest.secrets_elsewhere.join(', ')}.\n`);
    });
}
