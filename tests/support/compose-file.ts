import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly profiles?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** `${NAME:-default}` and `${NAME:?message}` as compose reads them, innermost first. */
export function interpolate(text: string, environment: Readonly<Record<string, string>>): string {
  const variable = /\$\{([A-Z_]+)(?::([-?])((?:[^${}]|\$(?!\{))*))?\}/;
  for (let found = variable.exec(text); found; found = variable.exec(text)) {
    const [whole, name, kind, rest = ''] = found as unknown as [string, string, string | undefined, string | undefined];
    const value = environment[name] || (kind === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`${name} ${rest}`);
    text = text.replace(whole, () => value);
  }
  return text;
}

/** A compose file of the repository with its merge keys resolved; what it takes from the environment is as given here. */
export function readComposeFile(name: string, environment: Readonly<Record<string, string>> = {}): ComposeFile {
  const text = readFileSync(resolve(__dirname, '../..', name), 'utf8').replace(/^\s*#.*$/gm, '');
  // Compose's own tags for what replaces instead of adding.
  const customTags = ['!override', '!reset'].map((tag) => ({ tag, collection: 'seq' as const }));
  return parse(interpolate(text, environment), { merge: true, customTags }) as ComposeFile;
}
