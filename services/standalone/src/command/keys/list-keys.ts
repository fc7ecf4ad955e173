import type { Command } from 'commander';
import { printList } from '../output.js';
import { CommandError, type Terminal } from '../terminal.js';
import { fingerprint, type KeyName, keySettings, readSecretList } from './secret-list.js';

type Row = Readonly<Record<string, unknown>>;

const columns = ['key', 'setting', 'place', 'fingerprint', 'file'];

/** `keys list`. */
export function addListKeys(parent: Command, terminal: Terminal): void {
  parent
    .command('list')
    .description('list the secrets by their fingerprints: place 1 is used for what is new, all are accepted')
    .option('--json', 'print JSON, for programs')
    .action(({ json }: { json?: boolean }) => {
      const rows = (Object.keys(keySettings) as KeyName[]).flatMap((key): Row[] => {
        const setting = keySettings[key];
        try {
          const { file, secrets } = readSecretList(terminal, key);
          return secrets.map((secret, at) => ({ key, setting, place: at + 1, fingerprint: fingerprint(secret), file }));
        } catch (error) {
          if (!(error instanceof CommandError)) throw error;
          return [{ key, setting, place: null, fingerprint: null, file: error.message }];
        }
      });
      printList(terminal, rows, columns, json === true);
    });
}
