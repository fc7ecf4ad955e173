import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Content, compressed } from './encoded-content.js';

/** What `npm run build` makes of gateway/web. Beside `src` and `dist` alike. */
const folder = resolve(__dirname, '../../web/dist');

export interface WebBuild {
  /** The document, with `{{…}}` where configuration goes, and the address of the style in its place. */
  readonly document: string;
  /** By path; each name holds a hash of the content, so that it may be cached for ever. */
  readonly assets: ReadonlyMap<string, Content>;
}

/** Reads the built pages into memory, so that a later build does not take them away from a running gateway. `brandStyle` is put behind the style sheet. */
export function readWebBuild(brandStyle: string): WebBuild {
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('The pages are not built: run "npm run build", or set PAGES=off');
  const names = readdirSync(join(folder, 'assets'));
  const assets = new Map<string, Content>();
  for (const name of names.filter((file) => file.endsWith('.js'))) assets.set(`/assets/${name}`, script(name));

  let document = read('index.html').toString();
  for (const name of names.filter((file) => file.endsWith('.css'))) {
    const text = `${read(`assets/${name}`)}${brandStyle}`;
    const path = `/assets/style-${createHash('sha256').update(text).digest('base64url').slice(0, 10)}.css`;
    assets.set(path, compressed('text/css', text));
    document = document.replaceAll(`/assets/${name}`, path);
  }
  return { document, assets };
}

function script(name: string): Content {
  const path = `assets/${name}`;
  return { type: 'text/javascript', plain: read(path), br: read(`${path}.br`), gzip: read(`${path}.gz`) };
}

function read(file: string): Buffer {
  return readFileSync(join(folder, file));
}
