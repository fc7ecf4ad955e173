import './small-heap.js';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { constants, Script } from 'node:vm';

// `main` from the one file that scripts/bundle.mjs makes of it, with what V8 compiled at a start before this one (decision 9).

const file = join(__dirname, 'main.bundle.cjs');
/** Beside what the compiler made and not in a folder for temporary files, where somebody else could put code. */
const folder = resolve(__dirname, '../../../.build/compile-cache');
/** By then everything that a start needs has been compiled. */
const settledMs = 5_000;

const code = readFileSync(file, 'latin1');
const build = /\/\/# build (\w+)\s*$/.exec(code.slice(-100))?.[1];
const kept = `standalone-${build}-${process.version}-${process.arch}`;

const script = new Script(code, {
  filename: file,
  cachedData: read(join(folder, kept)),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()({}, createRequire(file), { exports: {} }, file, dirname(file));
// True too after a start with other flags of V8, which it does not take for the same.
if (script.cachedDataRejected !== false) setTimeout(keep, settledMs).unref();

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Where nothing can be written (a container), each start compiles anew. */
function keep(): void {
  try {
    mkdirSync(folder, { recursive: true });
    const unfinished = join(folder, `${process.pid}.new`);
    // On the disk before it has its name: V8 would not notice a part that a loss of power left out.
    writeFileSync(unfinished, script.createCachedData(), { flush: true });
    renameSync(unfinished, join(folder, kept));
    const others = readdirSync(folder).filter((name) => !name.startsWith(`standalone-${build}-`));
    for (const other of others) rmSync(join(folder, other), { force: true });
  } catch {}
}
