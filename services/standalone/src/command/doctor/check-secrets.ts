import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadConfig, settings } from '@latchkey/kit';
import { makeAppSecret, secretFileName, secretsFolder, withKeptSecrets } from '../../secrets.js';
import type { Examined } from './examined.js';
import { type Finding, failed, ok, warning } from './finding.js';

/** Present, long enough, no sample, and in files that only their owner reads (S25, S44). */
export async function checkSecrets(examined: Examined): Promise<Finding[]> {
  const findings = (Object.keys(makeAppSecret) as (keyof typeof makeAppSecret)[]).flatMap((name) => [
    strengthOf(name, examined),
    ...modeOf(name, examined),
  ]);
  const bad = findings.filter(({ status }) => status !== 'ok');
  return bad.length > 0 ? bad : [ok('secrets', 'present, long enough, for their owner alone')];
}

function strengthOf(name: keyof typeof makeAppSecret, { environment, dataDir, production }: Examined): Finding {
  const kept = withKeptSecrets(environment, dataDir);
  if (!kept[name]?.trim() && !kept[`${name}_FILE`]?.trim())
    return production
      ? failed(
          'secrets',
          `${name} is missing`,
          'Give a random one of at least 32 bytes (openssl rand -base64 48), or its file.',
        )
      : warning('secrets', `${name} is not there yet`, 'The first start makes it.');
  try {
    loadConfig({ [name]: settings[name] }, { ...kept, NODE_ENV: 'production' });
    return ok('secrets', name);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const detail = `${name} ${error.faults[0]?.message.replace(' (NODE_ENV=production)', '')}`;
    return (production ? failed : warning)(
      'secrets',
      detail,
      'Make a random one of at least 32 bytes: production refuses this.',
    );
  }
}

function modeOf(name: string, { environment, dataDir }: Examined): Finding[] {
  if (environment[name]?.trim() || process.platform === 'win32') return [];
  const file = environment[`${name}_FILE`]?.trim() || join(secretsFolder(dataDir), secretFileName(name));
  if (!existsSync(file)) return [];
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return [];
  // What a container is given is often readable by all inside of it, and by nobody outside.
  if (environment[`${name}_FILE`]?.startsWith('/run/')) return [];
  return [
    failed('secrets', `${file} has mode ${mode.toString(8)}: others on this machine may read it`, `chmod 600 ${file}`),
  ];
}
