import { collectionsHolding } from './at-rest.js';
import { Mailbox } from './mailbox.js';
import { type EngineSettings, freshOnSharedEngines } from './real-engines.js';
import { ServiceProcesses } from './service-processes.js';
import { type System, type SystemOptions, systemAt, testSettings } from './system.js';

/** By data folder: who starts again on one finds the databases and the queues of before too. */
const used = new Map<string, EngineSettings>();
const started: ServiceProcesses[] = [];

/** Six processes on the engines that the jest project shares, with databases and queues of their own. */
export async function startProcessSystem(settings: Record<string, string>, options: SystemOptions): Promise<System> {
  if (options.clock) throw new Error('A clock cannot be given to other processes');
  const addresses = used.get(options.dataDir ?? '') ?? (await freshOnSharedEngines());
  if (options.dataDir) used.set(options.dataDir, addresses);
  const processes = await ServiceProcesses.create({ ...addresses, ...testSettings, ...settings }, options.dataDir);
  started.push(processes);
  await processes.start();
  return systemOf(processes);
}

/** What tests see of six processes. */
export function systemOf(processes: ServiceProcesses): System {
  return systemAt({
    url: processes.url,
    publicUrl: processes.publicUrl,
    mailbox: new Mailbox(processes.mailboxUrl),
    dataDir: processes.dataDir,
    log: () => processes.log(),
    atRest: (text) => collectionsHolding(processes.databaseUri, text),
    stop: () => processes.dispose(),
  });
}

// Comes before the hooks of the test itself, so that processes are ended here at the latest.
if (typeof afterAll === 'function') {
  afterAll(async () => {
    await Promise.all(started.map((processes) => processes.dispose()));
  });
}
