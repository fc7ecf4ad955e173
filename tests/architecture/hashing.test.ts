import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { importsOf, sourceFiles } from './import-rule.js';

const root = resolve(__dirname, '../..');
const files = ['libs', 'services', 'gateway'].flatMap((folder) => sourceFiles(root, folder));
const isTest = (file: string) => /\.test\.ts$|\/testing\//.test(file);

test('S11 P27 bcrypt runs in the hashing process alone, which nobody loads into another, and bcryptjs nowhere', () => {
  const imports = files.filter((file) => !isTest(file)).flatMap((file) => importsOf(root, file));
  const hashing = imports.filter(({ specifier }) => /^bcrypt|argon2|scrypt/.test(specifier));
  expect(hashing).toEqual([{ from: 'services/auth/src/passwords/hasher.child.ts', specifier: 'bcrypt' }]);
  expect(imports.filter(({ specifier }) => /\/hasher\.child(\.js)?$/.test(specifier))).toEqual([]);
});

test('P27 nothing derives keys on the main thread', () => {
  const deriving = files.filter(
    (file) => !isTest(file) && /\b(pbkdf2|scrypt|argon2)(Sync)?\(/.test(readFileSync(resolve(root, file), 'utf8')),
  );
  expect(deriving).toEqual([]);
});
