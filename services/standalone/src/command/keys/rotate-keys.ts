import { loadConfig, settings } from '@latchkey/kit';
import { Argument, type Command, Option } from 'commander';
import { makeAppSecret } from '../../secrets.js';
import { recordOperation } from '../operations-log.js';
import { CommandError, type Terminal } from '../terminal.js';
import { fingerprint, type KeyName, keySettings, readSecretList, writeSecretList } from './secret-list.js';

const stages = ['all', 'add', 'use', 'drop'] as const;
type Stage = (typeof stages)[number];

interface Options {
  readonly stage: Stage;
  readonly force?: boolean;
}

/** What the old secrets still guard: when they may go. */
const dropWhen: Record<KeyName, string> = {
  jwt: 'every session signed with it has expired (SESSION_TTL after the new key was first used)',
  pepper: 'every user has logged in since: until then its users could not log in any more',
  sealing:
    'no mail and no reset of before is pending (RESET_TOKEN_TTL and INVITATION_TTL after the new key was first used)',
  service: 'every process uses the new one',
};

const help = `
Processes read their secrets when they start. Where all are restarted together (npm start, npm run start:services) one step is enough: keys rotate, restart.
Replicas that are restarted one by one need three, with a restart of all after each, so that none meets a secret that it does not know yet:
  keys rotate <key> --stage add    the new secret is accepted, not used
  keys rotate <key> --stage use    the new secret is used
  keys rotate <key> --stage drop   the old ones are forgotten, once they guard nothing any more`;

/** `keys rotate`. */
export function addRotateKeys(parent: Command, terminal: Terminal): void {
  parent
    .command('rotate')
    .description('put a new secret before the old ones, which are accepted until they are dropped')
    .addArgument(new Argument('<key>').choices(Object.keys(keySettings)))
    .addOption(new Option('--stage <stage>', 'all: add and use at once').choices(stages).default('all'))
    .option('--force', 'drop an old pepper although users may still need it')
    .addHelpText('after', help)
    .action((key: KeyName, { stage, force }: Options) => {
      const { file, secrets } = readSecretList(terminal, key);
      if (stage === 'drop' && key === 'pepper' && !force)
        throw new CommandError(`An old pepper may go when ${dropWhen.pepper}. --force drops it all the same.`);
      const changed = staged(stage, secrets, key);
      writeSecretList(file, changed);
      const { dataDir } = loadConfig({ dataDir: settings.DATA_DIR }, terminal.environment);
      const fingerprints = changed.map(fingerprint);
      recordOperation(terminal, dataDir, 'keys rotate', { key, stage, fingerprints });
      terminal.out(`${file} now holds ${fingerprints.join(', ')}; the first is used.\n`);
      terminal.out('It takes effect when the processes that read it are restarted.\n');
      if (stage !== 'drop') terminal.out(`The old may go (--stage drop) when ${dropWhen[key]}.\n`);
    });
}

function staged(stage: Stage, secrets: readonly string[], key: KeyName): readonly string[] {
  const [first = '', ...others] = secrets;
  const last = secrets.at(-1) as string;
  const fresh = () => makeAppSecret[keySettings[key]]().trim();
  if (stage === 'all') return [fresh(), ...secrets];
  if (stage === 'add') return [...secrets, fresh()];
  if (others.length === 0)
    throw new CommandError(`There is only one secret: --stage ${stage} comes after --stage add.`);
  return stage === 'use' ? [last, ...secrets.slice(0, -1)] : [first];
}
