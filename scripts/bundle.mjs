// Puts what a standalone start loads into one file: finding and reading 2,000 modules one by one takes longer than running them.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const { wrapper } = Module;
const root = fileURLToPath(new URL('..', import.meta.url));
const entry = join(root, 'services/standalone/dist/main.js');

/** Read by services/standalone/src/bundled.main.ts. */
const bundleFile = join(root, 'services/standalone/dist/main.bundle.cjs');

/** Stay files of their own: those with compiled parts or files beside them, and those that are loaded at their first use, which few starts have. */
const apart = [
  'bcrypt',
  'libsql',
  'swagger-ui-dist',
  '@opentelemetry/exporter-*',
  '@opentelemetry/otlp-*',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-*',
  '@zxcvbn-ts/*',
  'amqplib',
  'undici',
];

/** Our modules look for files beside themselves, wherever their code has come to stand. */
const keepFolders = {
  name: 'keep-folders',
  setup(build) {
    build.onLoad({ filter: /[\\/](libs|services|gateway)[\\/].*[\\/]?dist[\\/].*\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      if (path.includes('node_modules') || !/\b__(dirname|filename)\b/.test(code)) return undefined;
      const own = JSON.stringify(relative(dirname(bundleFile), path));
      const head = `const __filename = require('node:path').join(__bundleFolder, ${own}); const __dirname = require('node:path').dirname(__filename);`;
      return { contents: `${head}${code}`, loader: 'js' };
    });
  },
};

const { outputFiles } = await build({
  entryPoints: [entry],
  outfile: bundleFile,
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  external: apart.flatMap((name) => (name.endsWith('*') ? [name] : [name, `${name}/*`])),
  // In the wrapper that Node puts around a module: adding it at the start would take a second copy of all this in memory.
  banner: { js: `${wrapper[0]}const __bundleFolder = __dirname;` },
  footer: { js: wrapper[1] },
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [keepFolders],
});
const text = withoutOtherLetters(outputFiles[0].text);
// What V8 keeps of it is found by this line: V8 itself compares no more than the length.
const named = `${text}//# build ${createHash('sha256').update(text).digest('hex')}\n`;
writeFileSync(`${bundleFile}.new`, named);
renameSync(`${bundleFile}.new`, bundleFile);

/**
 * esbuild leaves other letters in comments and templates, and one of them makes V8 hold all of the text at two bytes a letter. Written as `\uXXXX` they mean the
 * same everywhere but in `String.raw` and behind a backslash.
 */
function withoutOtherLetters(text) {
  const other = /String\.raw`[^`]*[^\0-\x7f][^`]*`|\\[^\0-\x7f]/.exec(text);
  if (other) throw new Error(`The bundle must be ASCII: ${other[0]}`);
  return text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
