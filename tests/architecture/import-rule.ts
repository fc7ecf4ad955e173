import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** One import of one source file, paths from the repository's root with `/`. */
export interface Import {
  readonly from: string;
  readonly specifier: string;
}

/** Which packages of this repository each part may know. Everything may know the contracts; nobody knows a neighbour. */
const mayKnow: Record<string, readonly string[]> = {
  'libs/contracts': [],
  'libs/kit': ['contracts'],
  'libs/messaging': ['contracts', 'kit'],
  'libs/persistence': ['contracts', 'kit', 'messaging'],
  'libs/hosting': ['contracts', 'kit', 'messaging', 'persistence'],
  'libs/embedded': ['contracts', 'kit', 'messaging', 'persistence'],
  'libs/sandbox': ['contracts', 'kit'],
  'services/auth': ['contracts', 'kit', 'messaging', 'persistence', 'hosting'],
  'services/user': ['contracts', 'kit', 'messaging', 'persistence', 'hosting'],
  'services/mailer': ['contracts', 'kit', 'messaging', 'persistence', 'hosting'],
  'services/payment': ['contracts', 'kit', 'messaging', 'persistence', 'hosting'],
  gateway: ['contracts', 'kit'],
};

/** The one place beside the tests that hosts everything and so may know everything. */
const composesAll = 'services/standalone';

/** Outside packages that only one room may use: what they do is behind a port elsewhere. */
const ownedBy: Record<string, readonly string[]> = {
  bcrypt: ['services/auth/src'],
  jsonwebtoken: ['services/auth/src', 'gateway/src', 'libs/kit/src'],
  nodemailer: ['services/mailer/src'],
  stripe: ['services/payment/src'],
  amqplib: ['libs/messaging/src'],
  libsql: ['libs/embedded/src', 'libs/sandbox/src'],
  mingo: ['libs/embedded/src'],
  'smtp-server': ['libs/sandbox/src'],
  undici: ['libs/kit/src'],
};

export function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourceFiles(root, path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

export function importsOf(root: string, file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+|require\(\s*|require\.resolve\(\s*)'([^'\n]+)'/g);
  return [...found].map((match) => ({ from: file, specifier: match[1] as string }));
}

/** Why an import breaks the rule, or undefined when it keeps it. Tests may use the embedded parts and what tests share, but no neighbour either. */
export function violation(root: string, { from, specifier }: Import): string | undefined {
  const part = partOf(from);
  if (specifier.startsWith('.')) {
    const target = relative(root, resolve(root, dirname(from), specifier))
      .split(sep)
      .join('/');
    return partOf(target) === part ? undefined : `${from} reaches into ${target}: import the package by its name`;
  }
  const isTest = from.endsWith('.test.ts') || from.includes('/testing/');
  const outside = packageName(specifier);
  const owners = ownedBy[outside];
  if (owners && !isTest && !owners.some((owner) => from.startsWith(`${owner}/`))) {
    return `${from} uses ${outside}, which only ${owners.join(', ')} may`;
  }
  if (!specifier.startsWith('@latchkey/') || part === composesAll) return undefined;
  const [, name, ...inside] = specifier.split('/');
  if (inside.length > 0) return `${from} imports ${specifier}: a package is known by its index alone`;
  const allowed = mayKnow[part] ?? [];
  if (
    allowed.includes(name as string) ||
    (isTest && ['embedded', 'sandbox', 'messaging', 'persistence', 'tests'].includes(name as string))
  ) {
    return undefined;
  }
  return `${from} knows ${specifier}, which ${part} may not`;
}

function partOf(path: string): string {
  const [first, second] = path.split('/');
  return first === 'libs' || first === 'services' ? `${first}/${second}` : (first as string);
}

function packageName(specifier: string): string {
  const [first, second] = specifier.split('/');
  return specifier.startsWith('@') ? `${first}/${second}` : (first as string);
}
