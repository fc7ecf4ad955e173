import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(__dirname, '../../.build/compile-cache');

/** The path of what V8 compiled at an earlier start of the present one file with this Node; undefined while none is kept (decision 9). */
export function keptCode(): string | undefined {
  const bundle = readFileSync(resolve(__dirname, '../../services/standalone/dist/main.bundle.cjs'), 'utf8');
  const build = /\/\/# build (\w+)/.exec(bundle.slice(-100))?.[1] as string;
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const name = names.find((each) => each.startsWith(`standalone-${build}-${process.version}-`));
  return name === undefined ? undefined : join(folder, name);
}
