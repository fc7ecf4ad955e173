import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSecrets } from './secrets.js';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'latchkey-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('S25 secrets are made at the first start, differ between installations and stay the same after a restart', () => {
  const first = withSecrets({}, dataDir);
  expect(withSecrets({}, dataDir)).toEqual(first);

  const other = mkdtempSync(join(tmpdir(), 'latchkey-secrets-'));
  const elsewhere = withSecrets({}, other);
  rmSync(other, { recursive: true });
  for (const name of ['JWT_PRIVATE_KEYS', 'PASSWORD_PEPPER', 'SEALING_KEY', 'SERVICE_SECRET']) {
    expect(first[name]?.length).toBeGreaterThanOrEqual(32);
    expect(first[name]).not.toBe(elsewhere[name]);
  }
  expect(createPrivateKey(first.JWT_PRIVATE_KEYS ?? '').asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
});

test('S44 secret files can be read by their owner alone', () => {
  withSecrets({}, dataDir);
  const directory = join(dataDir, 'secrets');
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  const names = readdirSync(directory);
  expect(names.sort()).toEqual(['jwt-private-keys', 'password-pepper', 'sealing-key', 'service-secret']);
  for (const name of names) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
});

test('S44 a secret that the environment gives is used as it is and not written down', () => {
  const given = withSecrets({ PASSWORD_PEPPER: 'x'.repeat(40), SEALING_KEY_FILE: '/run/secrets/sealing' }, dataDir);
  expect(given.PASSWORD_PEPPER).toBe('x'.repeat(40));
  expect(given.SEALING_KEY).toBeUndefined();
  expect(readdirSync(join(dataDir, 'secrets')).sort()).toEqual(['jwt-private-keys', 'service-secret']);
});
