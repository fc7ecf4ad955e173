import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { CommandError } from '../terminal.js';
import { describeFile, FORMAT, filesUnder, type Manifest, manifestSchema } from './manifest.js';

/** Unpacks an archive of this kind into `folder` (its content under `data/`), every byte of it checked. Throws `CommandError` with what is wrong. */
export async function readArchive(file: string, kind: Manifest['kind'], folder: string): Promise<Manifest> {
  const data = join(folder, 'data');
  try {
    // Plain files only: a link could lead out of the folder.
    await extract({
      file,
      cwd: folder,
      strict: true,
      filter: (_path, entry) => 'type' in entry && ['File', 'Directory'].includes(entry.type),
    });
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  restrict(folder);
  const manifest = readManifest(file, kind, folder);
  const present = filesUnder(data);
  const missing = manifest.files.filter(({ path }) => !present.includes(path)).map(({ path }) => path);
  const foreign = present.filter((path) => !manifest.files.some((one) => one.path === path));
  const faults = [
    ...missing.map((path) => `${path} is missing`),
    ...foreign.map((path) => `${path} is not in the list`),
  ];
  for (const expected of manifest.files.filter(({ path }) => present.includes(path))) {
    const { sha256 } = await describeFile(data, expected.path);
    if (sha256 !== expected.sha256) faults.push(`${expected.path} is not what was written`);
  }
  if (faults.length > 0)
    throw new CommandError(`${file} is damaged:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return manifest;
}

function readManifest(file: string, kind: Manifest['kind'], folder: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  } catch {
    throw new CommandError(`${file} is no archive of Latchkey: it has no manifest.`);
  }
  const manifest = manifestSchema.safeParse(json);
  if (!manifest.success) throw new CommandError(`${file} is no archive of Latchkey.`);
  if (manifest.data.kind !== kind)
    throw new CommandError(`${file} is a${kind === 'backup' ? 'n export: use import' : ' backup: use restore'}.`);
  if (manifest.data.format > FORMAT)
    throw new CommandError(
      `${file} has format ${manifest.data.format}; this release reads up to ${FORMAT}. Use the release that wrote it, or a newer one.`,
    );
  return manifest.data;
}

/** The archive carries no modes: all of it is for its owner alone. */
function restrict(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    chmodSync(path, entry.isDirectory() ? 0o700 : 0o600);
    if (entry.isDirectory()) restrict(path);
  }
}
