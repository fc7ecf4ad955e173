// What `latchkey doctor` finds, on a standalone installation that runs and on ones that something is wrong with.
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '@latchkey/embedded';
import { latchkey } from '../support/latchkey-command.js';
import { StandaloneProcess } from '../support/standalone-process.js';

jest.setTimeout(180_000);

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly advice?: string;
}

let system: StandaloneProcess;
beforeAll(async () => {
  system = await StandaloneProcess.create();
  await system.start();
});
afterAll(() => system?.dispose());

async function examine(extra: Record<string, string> = {}) {
  const { code, out, err } = await latchkey(['doctor', '--json'], { environment: { ...system.environment, ...extra } });
  const findings = JSON.parse(out || `[{"check":${JSON.stringify(err)}}]`) as Finding[];
  return {
    code,
    of: (check: string, status: string) => findings.filter((one) => one.check === check && one.status === status),
    findings,
  };
}

test('a running trial: all is well, stand-ins are named, nothing is made', async () => {
  const before = readdirSync(join(system.dataDir, 'secrets'));
  const { code, findings, of } = await examine();
  expect([code, findings.filter(({ status }) => status === 'failed')]).toEqual([0, []]);
  for (const check of ['node', 'configuration', 'secrets', 'queue', 'clock'])
    expect([check, of(check, 'ok')]).toEqual([check, [expect.anything()]]);
  expect(of('database', 'ok').map(({ detail }) => detail.split(':')[0])).toEqual(['auth', 'user', 'payment', 'mailer']);
  expect([of('mail', 'warning').length, of('payments', 'warning').length]).toEqual([1, 1]);
  expect(readdirSync(join(system.dataDir, 'secrets'))).toEqual(before);
});

test('every fault of the configuration at once, each with what to do', async () => {
  const { code, of } = await examine({
    SESSION_TTL: 'long',
    BCRYPT_COST: '12',
    RETENTION_DAYS: '-1',
    PASSWORD_PEPPER: 'short',
    NODE_ENV: 'production',
  });
  expect(code).toBe(1);
  const named = of('configuration', 'failed').map(({ detail }) => detail.split(' ')[0]);
  expect(named).toEqual(
    expect.arrayContaining(['SESSION_TTL', 'RETENTION_DAYS', 'PASSWORD_PEPPER', 'SMTP_URL', 'STRIPE_SECRET_KEY']),
  );
  expect(of('configuration', 'failed').every(({ advice }) => advice)).toBe(true);
  expect(of('secrets', 'failed').map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining('PASSWORD_PEPPER'),
  );
});

test('the mail server is spoken to, the payment provider is called', async () => {
  const simulator = `http://127.0.0.1:${system.environment.PAYMENT_PORT}/simulator`;
  const good = await examine({
    STRIPE_API_URL: simulator,
    STRIPE_SECRET_KEY: 'sk_test_simulator',
    STRIPE_WEBHOOK_SECRET: `whsec_${'a1'.repeat(16)}`,
  });
  expect(good.of('payments', 'ok')).toEqual([
    expect.objectContaining({ detail: expect.stringMatching(/[1-9]\d* products/) }),
  ]);
  const bad = await examine({
    STRIPE_API_URL: simulator,
    STRIPE_SECRET_KEY: 'sk_test_wrong',
    STRIPE_WEBHOOK_SECRET: 'sk_no',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  expect(bad.code).toBe(1);
  expect(bad.of('payments', 'failed').map(({ detail }) => detail)).toContain(
    'STRIPE_WEBHOOK_SECRET does not look like a signing secret',
  );
  expect(bad.of('payments', 'failed')).toHaveLength(2);
  expect(bad.of('mail', 'failed')).toEqual([expect.objectContaining({ detail: expect.stringContaining('127.0.0.1') })]);
});

test('a secret that others may read, an index that is missing', async () => {
  await system.terminate();
  const file = join(system.dataDir, 'secrets', 'password-pepper');
  if (process.platform !== 'win32') {
    chmodSync(file, 0o644);
    expect((await examine()).of('secrets', 'failed')).toEqual([
      expect.objectContaining({ advice: `chmod 600 ${file}` }),
    ]);
    chmodSync(file, 0o600);
  }
  const connection = await openEmbeddedDatabase({ file: join(system.dataDir, 'user.db') });
  await connection.db?.collection('users').dropIndex('emailKey_1');
  await connection.close();
  const { code, of } = await examine();
  expect(code).toBe(1);
  expect(of('indexes', 'failed')).toEqual([expect.objectContaining({ detail: 'user.users lacks {"emailKey":1}' })]);
});
