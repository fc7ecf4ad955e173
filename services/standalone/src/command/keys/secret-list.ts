import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { loadConfig, settings } from '@latchkey/kit';
import { type makeAppSecret, replaceDurably, secretFileName, secretsFolder } from '../../secrets.js';
import { CommandError, type Terminal } from '../terminal.js';

/** By the names that people give them. */
export const keySettings = {
  jwt: 'JWT_PRIVATE_KEYS',
  pepper: 'PASSWORD_PEPPER',
  sealing: 'SEALING_KEY',
  service: 'SERVICE_SECRET',
} as const satisfies Record<string, keyof typeof makeAppSecret>;
export type KeyName = keyof typeof keySettings;

/** A file with a list of secrets: the first is used for what is new, all are accepted (S44). */
export interface SecretList {
  readonly file: string;
  readonly secrets: readonly string[];
}

/** Where the secret lies and what it is. A secret that the environment itself holds cannot be changed from here. */
export function readSecretList({ environment }: Terminal, key: KeyName): SecretList {
  const setting = keySettings[key];
  if (environment[setting]?.trim())
    throw new CommandError(
      `${setting} is given by the environment: put the new secret in front of the old one there, or keep it in a file (${setting}_FILE).`,
    );
  const { dataDir } = loadConfig({ dataDir: settings.DATA_DIR }, environment);
  const given = environment[`${setting}_FILE`]?.trim();
  const file = resolve(given || join(secretsFolder(dataDir), secretFileName(setting)));
  if (!existsSync(file)) throw new CommandError(`${file} does not exist: no installation keeps its ${setting} there.`);
  const list = loadConfig({ list: settings[setting] }, { [setting]: readFileSync(file, 'utf8') }).list;
  return { file, secrets: list.map((secret) => secret.trim()) };
}

/** All or nothing, mode 0600. */
export function writeSecretList(file: string, secrets: readonly string[]): void {
  replaceDurably(dirname(file), basename(file), `${secrets.join('\n')}\n`);
}

/** Names a secret without telling it. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(`latchkey fingerprint\n${secret}`).digest('base64url').slice(0, 8);
}
