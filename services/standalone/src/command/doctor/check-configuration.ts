import { ConfigError } from '@latchkey/kit';
import { loadStandaloneConfig } from '../../config.js';
import { makeAppSecret, withKeptSecrets } from '../../secrets.js';
import { loadSupervisorConfig } from '../../supervisor/supervisor-config.js';
import type { Examined } from './examined.js';
import { type Finding, failed, ok } from './finding.js';

/** Every fault of every setting, as the processes themselves would refuse them. Makes nothing: secrets that a first start would make count as made. */
export async function checkConfiguration({ environment, dataDir, production, as }: Examined): Promise<Finding[]> {
  const kept: Record<string, string | undefined> = withKeptSecrets(environment, dataDir);
  if (!production)
    for (const [name, make] of Object.entries(makeAppSecret))
      if (!kept[name] && !kept[`${name}_FILE`]) kept[name] = make();
  try {
    if (as === 'standalone') loadStandaloneConfig(kept);
    else loadSupervisorConfig(kept);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ setting, message }) =>
      failed('configuration', `${setting} ${message}`, `Set ${setting}: .env.example says what it is.`),
    );
  }
  return [ok('configuration', `complete for ${as === 'standalone' ? 'one process' : 'six processes'}`)];
}
