import { ConfigError } from './load-config.js';
import type { Environment } from './setting.js';

type Loaders = Readonly<Record<string, (environment: Environment) => unknown>>;

/** Runs several loaders on one environment and throws one `ConfigError` with the faults of all, each once. Other errors pass. */
export function loadTogether<L extends Loaders>(
  loaders: L,
  environment: Environment,
): { readonly [K in keyof L]: ReturnType<L[K]> } {
  const faults = new Map<string, ConfigError['faults'][number]>();
  const loaded: Record<string, unknown> = {};
  for (const [name, load] of Object.entries(loaders)) {
    try {
      loaded[name] = load(environment);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.set(`${fault.setting} ${fault.message}`, fault);
    }
  }
  if (faults.size > 0) throw new ConfigError([...faults.values()]);
  return loaded as { readonly [K in keyof L]: ReturnType<L[K]> };
}
