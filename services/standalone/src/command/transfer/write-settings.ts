import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Setting, settings } from '@latchkey/kit';
import { secretFileName, secretsFolder } from '../../secrets.js';
import { environmentFile } from './given-settings.js';

/** Writes what the processes need into `folder`: every secret into a file of its own, and an environment file that names them (all mode 0600). */
export function writeSettings(folder: string, given: Readonly<Record<string, string>>): string[] {
  mkdirSync(secretsFolder(folder), { recursive: true, mode: 0o700 });
  const lines = Object.entries(given).map(([name, value]) => {
    if (!(settings as Record<string, Setting>)[name]?.secret) return `${name}=${value}`;
    const file = join(secretsFolder(folder), secretFileName(name));
    writeFileSync(file, value, { mode: 0o600 });
    return `${name}_FILE=${file}`;
  });
  const all = [`DATA_DIR=${folder}`, ...lines];
  writeFileSync(environmentFile(folder), `${all.join('\n')}\n`, { mode: 0o600 });
  return all;
}
