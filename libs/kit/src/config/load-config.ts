import { readFileSync } from 'node:fs';
import type { Environment, Setting } from './setting.js';

/** The values of a pick of settings, under the keys of the pick. */
export type ConfigOf<S> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** Every fault of the configuration at once; the message names the settings and never holds a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly { readonly setting: string; readonly message: string }[]) {
    super(`The configuration is not usable:\n${faults.map((f) => `  ${f.setting} ${f.message}`).join('\n')}`);
  }
}

class SettingFault extends Error {}

/**
 * Reads the picked settings. An empty text counts as unset; a secret may lie in the file that `NAME_FILE` names.
 * With NODE_ENV=production, sample and short secrets are refused (S25, S44). Throws `ConfigError`.
 */
export function loadConfig<S extends Record<string, Setting>>(settings: S, environment: Environment): ConfigOf<S> {
  const faults: { setting: string; message: string }[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings)) {
    const name = setting.name ?? key;
    try {
      values[key] = readSetting(name, setting, environment);
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error;
      faults.push({ setting: name, message: error.message });
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return values as ConfigOf<S>;
}

function readSetting(name: string, setting: Setting, environment: Environment): unknown {
  const given = givenText(name, setting, environment);
  if (given === undefined && setting.required)
    throw new SettingFault(`is required${setting.secret ? ` (or ${name}_FILE)` : ''}`);
  const text = given ?? (typeof setting.default === 'function' ? setting.default(environment) : setting.default);
  if (text === undefined) return undefined;
  const parsed = setting.schema.safeParse(text);
  if (!parsed.success) {
    const reason = parsed.error.issues[0]?.message ?? 'is not valid';
    throw new SettingFault(setting.secret ? reason : `${reason}, not ${JSON.stringify(text.slice(0, 100))}`);
  }
  const refusal = environment.NODE_ENV === 'production' ? setting.productionFault?.(parsed.data) : null;
  if (refusal) throw new SettingFault(`${refusal} (NODE_ENV=production)`);
  return parsed.data;
}

function givenText(name: string, setting: Setting, environment: Environment): string | undefined {
  const direct = environment[name]?.trim() || undefined;
  const file = setting.secret ? environment[`${name}_FILE`]?.trim() || undefined : undefined;
  if (file === undefined) return direct;
  if (direct !== undefined) throw new SettingFault(`and ${name}_FILE are both given`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    throw new SettingFault(`cannot be read from ${name}_FILE (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  }
}

/** The process's own environment. Entries call it once; nothing else reads `process.env`. */
export function readEnvironment(): Environment {
  return { ...process.env };
}
