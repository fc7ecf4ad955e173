import { resolve } from 'node:path';
import { withSecrets } from '@latchkey/standalone';
import { freePorts } from '../../support/free-ports.js';
import { type ProcessName, processEntries, processNames } from '../../support/process-entries.js';
import { testSettings } from '../../support/system.js';
import { RestartedProcess } from './restarted-process.js';

const root = resolve(__dirname, '../../..');

export { type ProcessName, processNames };
export type SixProcesses = Record<ProcessName, RestartedProcess>;

export const servicesOnEngines = processNames.filter((name) => name !== 'gateway');

/** The compiled processes on free ports, not started yet. `settings` name the engines, the mail server and the provider. */
export async function createSixProcesses(
  dataDir: string,
  settings: (gatewayUrl: string) => Record<string, string>,
): Promise<{ gatewayUrl: string; processes: SixProcesses }> {
  const portNames = ['GATEWAY_METRICS_PORT', ...Object.values(processEntries).map(({ portName }) => portName)];
  const free = await freePorts(portNames.length);
  const ports = Object.fromEntries(portNames.map((name, at) => [name, String(free[at])]));
  const gatewayUrl = `http://127.0.0.1:${ports.PORT}`;
  const environment = withSecrets(
    {
      ...ports,
      DATA_DIR: dataDir,
      ...testSettings,
      LOG_LEVEL: 'info',
      RATE_LIMIT_SCALE: '10000',
      ...settings(gatewayUrl),
    },
    dataDir,
  ) as Record<string, string>;
  const processes = Object.fromEntries(
    Object.entries(processEntries).map(([name, { module, portName }]) => [
      name,
      new RestartedProcess(name, { module: resolve(root, module), portName, settings: environment }),
    ]),
  ) as SixProcesses;
  return { gatewayUrl, processes };
}
