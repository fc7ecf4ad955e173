import { type Command, Option } from 'commander';
import { CommandError, type Terminal } from '../terminal.js';
import { checkClock } from './check-clock.js';
import { checkConfiguration } from './check-configuration.js';
import { checkDatabase } from './check-database.js';
import { checkMail } from './check-mail.js';
import { checkNode } from './check-node.js';
import { checkPayments } from './check-payments.js';
import { checkQueue } from './check-queue.js';
import { checkSecrets } from './check-secrets.js';
import { type Examined, examine } from './examined.js';
import type { Finding } from './finding.js';

interface Options {
  readonly as?: Examined['as'];
  readonly json?: boolean;
}

const signs = { ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ' } as const;

/** `doctor`. */
export function addDoctor(parent: Command, terminal: Terminal): void {
  parent
    .command('doctor')
    .description(
      'look at everything that an installation stands on, and say what to do; exit code 1 when something fails',
    )
    .addOption(
      new Option('--as <kind>', 'default: processes when MONGODB_URI and AMQP_URL are both set').choices([
        'standalone',
        'processes',
      ]),
    )
    .option('--json', 'print JSON, for programs')
    .action(async ({ as, json }: Options) => {
      const findings = await lookAt(examine(terminal.environment, as), terminal);
      if (json) terminal.out(`${JSON.stringify(findings, null, 2)}\n`);
      else for (const finding of findings) terminal.out(inLines(finding));
      const count = findings.filter(({ status }) => status === 'failed').length;
      if (count > 0) throw new CommandError(count === 1 ? 'One check failed.' : `${count} checks failed.`);
    });
}

async function lookAt(examined: Examined, { clock }: Terminal): Promise<Finding[]> {
  const found = await Promise.all([
    checkNode(),
    checkConfiguration(examined),
    checkSecrets(examined),
    checkDatabase(examined),
    checkQueue(examined),
    checkMail(examined),
    checkPayments(examined),
    checkClock(examined, clock),
  ]);
  return found.flat();
}

function inLines({ check, status, detail, advice }: Finding): string {
  const first = `${signs[status]}  ${check.padEnd(13)}  ${detail}\n`;
  return advice === undefined ? first : `${first}${' '.repeat(24)}→ ${advice}\n`;
}
