import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { create } from 'tar';
import { syncDirectory } from '../../secrets.js';
import { CommandError } from '../terminal.js';
import { describeFile, FORMAT, filesUnder, type Manifest } from './manifest.js';

/**
 * One file, mode 0600, with what `fill` puts into a folder, and a manifest. It appears under its name only once it is whole and on the disk. `fill` also gets a
 * folder for what it makes on the way; nothing of either is left behind.
 */
export async function writeArchive(
  file: string,
  about: Pick<Manifest, 'kind' | 'id' | 'created_at' | 'secrets_elsewhere'>,
  fill: (data: string, scratch: string) => Promise<void>,
): Promise<Manifest> {
  const target = resolve(file);
  if (existsSync(target)) throw new CommandError(`${target} exists already.`);
  if (!existsSync(dirname(target))) throw new CommandError(`There is no folder ${dirname(target)}.`);
  // Mode 0700, and on the disk that the file will be on.
  const staging = mkdtempSync(join(dirname(target), `.${basename(target)}-`));
  const data = join(staging, 'data');
  const scratch = join(staging, 'scratch');
  try {
    for (const folder of [data, scratch]) mkdirSync(folder, { mode: 0o700 });
    await fill(data, scratch);
    const files: Manifest['files'][number][] = [];
    for (const path of filesUnder(data)) files.push(await describeFile(data, path));
    const manifest: Manifest = { product: 'latchkey', format: FORMAT, ...about, files };
    writeFileSync(join(staging, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    const draft = join(staging, 'archive');
    await create({ file: draft, mode: 0o600, gzip: true, cwd: staging, portable: true }, ['manifest.json', 'data']);
    const handle = openSync(draft, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(draft, target);
    syncDirectory(dirname(target));
    return manifest;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
