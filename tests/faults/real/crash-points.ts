import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sourceFiles } from '../../architecture/import-rule.js';

const root = resolve(__dirname, '../../..');

const sources = {
  auth: { folder: 'services/auth', of: /^/ },
  user: { folder: 'services/user', of: /^/ },
  // Both run payment's code; who settles is the one that acts on events.
  payment: { folder: 'services/payment', of: /^(?!settle\.)/ },
  'payment-processor': { folder: 'services/payment', of: /^settle\./ },
};

/** The crash points that a process comes by, read from the sources so that a new one cannot be forgotten. */
export function crashPointsOf(name: keyof typeof sources): string[] {
  const { folder, of } = sources[name];
  const named = sourceFiles(root, folder)
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(resolve(root, file), 'utf8').matchAll(/[cC]rashPoint\??\.?\(\s*'([\w.-]+)'/g)])
    .map(([, point]) => point as string);
  return [...new Set(named)].filter((point) => of.test(point)).sort();
}
