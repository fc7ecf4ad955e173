import { accountSettings } from './account-settings.js';
import { addressSettings } from './address-settings.js';
import { engineSettings } from './engine-settings.js';
import { operationSettings } from './operation-settings.js';
import type { Setting } from './setting.js';

const parts: readonly [string, Readonly<Record<string, Setting>>][] = [
  ['Addresses', addressSettings],
  ['Engines: databases, queue, mail server, payment provider', engineSettings],
  ['Accounts, and the secrets that protect them', accountSettings],
  ['Limits, billing, retention, looks, logging', operationSettings],
];

/** `.env.example`: every setting of the catalogue, commented out, with what it means and what leaving it empty means. */
export function renderEnvExample(): string {
  const head = [
    "# Latchkey's settings. Made by `npm run env-example` from the catalogue in libs/kit/src/config: do not edit.",
    '# Nothing needs to be set for `npm start`. Durations are seconds. A secret may also be given as NAME_FILE, the path of a file that holds it.',
  ];
  const sections = parts.flatMap(([title, settings]) => [
    '',
    `# ── ${title} ──`,
    ...Object.entries(settings).flatMap(([name, setting]) => describe(name, setting)),
  ]);
  return `${[...head, ...sections].join('\n')}\n`;
}

function describe(name: string, setting: Setting): string[] {
  const empty = setting.required
    ? 'Required with NODE_ENV=production and by each process of its own; else made once, in DATA_DIR.'
    : `When empty: ${setting.whenEmpty}`;
  return ['', `# ${setting.description}.${setting.secret ? ' Secret.' : ''}`, `# ${empty}`, `#${name}=`];
}
