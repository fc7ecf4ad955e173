import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';

/** How each secret is made when there is none yet (S25: none has a default that is known beforehand). */
export const makeAppSecret = {
  JWT_PRIVATE_KEYS: () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  PASSWORD_PEPPER: randomSecret,
  SEALING_KEY: randomSecret,
  SERVICE_SECRET: randomSecret,
} as const;

export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Adds to `environment` the secrets it lacks: read from `<dataDir>/secrets`, or made there once, mode 0600. A secret that the environment gives
 * (itself or by `NAME_FILE`) is left alone and never written down. In production nothing is made: whoever runs it has to give them (S25, S44).
 */
export function withSecrets(
  environment: Record<string, string | undefined>,
  dataDir: string,
): Record<string, string | undefined> {
  if (environment.NODE_ENV === 'production') return environment;
  const completed = { ...environment };
  for (const [name, make] of Object.entries(makeAppSecret)) {
    if (environment[name] || environment[`${name}_FILE`]) continue;
    completed[name] = keepOnce(secretsFolder(dataDir), secretFileName(name), make);
  }
  return completed;
}

/** Like `withSecrets`, for who looks at an installation without being one: makes nothing. A secret that is nowhere stays missing. */
export function withKeptSecrets(
  environment: Record<string, string | undefined>,
  dataDir: string,
): Record<string, string | undefined> {
  const completed = { ...environment };
  for (const name of Object.keys(makeAppSecret)) {
    if (environment[name] || environment[`${name}_FILE`]) continue;
    completed[name] = readIfThere(join(secretsFolder(dataDir), secretFileName(name)));
  }
  return completed;
}

export function secretsFolder(dataDir: string): string {
  return join(dataDir, 'secrets');
}

/** The name of the file that holds the secret of this setting. */
export function secretFileName(setting: string): string {
  return setting.toLowerCase().replaceAll('_', '-');
}

/** Puts content in a file's place, durably and all or nothing, mode 0600. */
export function replaceDurably(directory: string, name: string, content: string): void {
  const draft = join(directory, `${name}.${process.pid}.${randomBytes(4).toString('hex')}`);
  writeDurably(draft, content);
  renameSync(draft, join(directory, name));
  syncDirectory(directory);
}

/** A secret of a stand-in, made once and kept like the others. */
export function keepSecret(dataDir: string, name: string): string {
  return keepOnce(secretsFolder(dataDir), name, randomSecret);
}

/** The content of `<directory>/<name>`; made and written durably when missing. Of two processes that start at once, both read what the first one wrote. */
export function keepOnce(directory: string, name: string, make: () => string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, name);
  const existing = readIfThere(path);
  if (existing !== undefined) return existing;

  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeDurably(draft, make());
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(directory);
  return readFileSync(path, 'utf8');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function writeDurably(path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function syncDirectory(directory: string): void {
  // Windows has no such thing as opening a folder.
  if (platform() === 'win32') return;
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
