import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, settings } from '@latchkey/kit';
import { withKeptSecrets } from '../../secrets.js';

/** Settings that belong to a machine and not to the installation. */
const local =
  /^(DATA_DIR|HOST|MONGODB_URI|AMQP_URL|ADMIN_.*|.*_PORT|PORT|(AUTH|USER|PAYMENT|PROCESSOR|MAILER|GATEWAY|SANDBOX)_URL)$/;

/** What an installation was told, its secrets included, by the names of the settings. `PUBLIC_URL` always: sessions and links go by it. */
export function givenSettings(environment: Environment, dataDir: string): Record<string, string> {
  const complete = withKeptSecrets(environment, dataDir);
  const given: Record<string, string> = {};
  for (const [name, setting] of Object.entries(settings)) {
    if (local.test(name)) continue;
    const file = setting.secret ? complete[`${name}_FILE`]?.trim() : undefined;
    const value = file ? readFileSync(file, 'utf8').trim() : complete[name]?.trim();
    if (value) given[name] = value;
  }
  given.PUBLIC_URL ??= `http://localhost:${environment.PORT?.trim() || '3000'}`;
  return given;
}

/** Where `import` keeps a folder's settings. */
export const environmentFile = (folder: string) => join(folder, 'latchkey.env');
