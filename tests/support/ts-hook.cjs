// `node -r <this file> script.cjs`: lets a child process of a test require TypeScript sources. Files ending in .ts are
// compiled by swc as jest does it; `@latchkey/*` means this repository's sources and `./x.js` means `./x.ts`.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const root = path.resolve(__dirname, '../..');
const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' };

function sourceOf(request, parent) {
  const own = /^@latchkey\/([a-z]+)$/.exec(request)?.[1];
  if (own !== undefined) {
    const folders = [`libs/${own}`, `services/${own}`, own];
    return folders.map((folder) => path.join(root, folder, 'src/index.ts')).find((file) => fs.existsSync(file));
  }
  if (!/^\.\.?\//.test(request) || !request.endsWith('.js') || parent?.filename === undefined) return undefined;
  const file = path.resolve(path.dirname(parent.filename), request.replace(/\.js$/, '.ts'));
  return fs.existsSync(file) ? file : undefined;
}

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveSource(request, parent, ...rest) {
  return sourceOf(request, parent) ?? resolve.call(this, request, parent, ...rest);
};

Module._extensions['.ts'] = function compile(module, filename) {
  const source = fs.readFileSync(filename, 'utf8');
  const { code } = transformSync(source, {
    filename,
    jsc,
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
    swcrc: false,
  });
  module._compile(code, filename);
};
