import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CredentialFile } from './credentials.js';

/** Puts each file into `<root>/<volume>/<name>`, all or nothing each; one that is there already with this content is left alone. */
export function writeCredentials(root: string, files: readonly CredentialFile[]): void {
  for (const { volume, name, content, shared } of files) {
    const directory = join(root, volume);
    mkdirSync(directory, { recursive: true });
    const path = join(directory, name);
    if (read(path) === content) continue;
    const draft = `${path}.draft`;
    writeFileSync(draft, content, { mode: 0o600 });
    chmodSync(draft, shared ? 0o444 : 0o400);
    renameSync(draft, path);
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
