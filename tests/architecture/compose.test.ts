// docker-compose.yml and compose.production.yml, as far as they can be held to their promises without a Docker engine.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ConfigError, settings } from '@latchkey/kit';
import { makeCredentials, processTable, writeCredentials } from '@latchkey/standalone';
import { type ComposeService, interpolate, readComposeFile } from '../support/compose-file.js';
import { schemaFaults } from '../support/compose-schema.js';

const root = resolve(__dirname, '../..');
const trial = readComposeFile('docker-compose.yml');
const given = { PUBLIC_URL: 'https://id.example.org', ADMIN_EMAIL: 'root@example.org', MAIL_FROM: 'id@example.org' };
const production = readComposeFile('compose.production.yml', given);
const ours = Object.entries(trial.services).filter(([, { image }]) => image === 'latchkey:local');
const six = processTable.map(({ name }) => [name, trial.services[name] as ComposeService] as const);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-compose-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The environment of a service with the paths of its files moved to where they lie here. */
function environmentOf(name: string, overrides: Readonly<Record<string, string>> = {}): Record<string, string> {
  const service = trial.services[name] as ComposeService;
  const here = join(folder, mountedAt(service, '/run/latchkey').replace('secrets-', ''));
  const texts = resolve(root, mountedAt(service, '/texts'));
  const entries = Object.entries({ ...service.environment, ...overrides });
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      // An empty one is null to a YAML parser that sees it after the variables were filled in.
      (value ?? '')
        .replace('/run/latchkey', here)
        .replace('/run/secrets', join(folder, 'given'))
        .replace(/^\/texts$/, texts),
    ]),
  );
}

/** The volume or the folder of the host that a service sees at `target`; empty when there is none. */
function mountedAt({ volumes = [] }: ComposeService, target: string): string {
  return volumes.find((mount) => mount.split(':')[1] === target)?.split(':')[0] ?? '';
}

test('every compose file is what the compose specification allows', () => {
  for (const file of ['docker-compose.yml', 'compose.production.yml', 'tests/compose/compose.test.yml'])
    expect([file, schemaFaults(join(root, file))]).toEqual([file, []]);
  const broken = join(folder, 'compose.yml');
  writeFileSync(broken, 'services: { a: { image: b, restart: [always] } }');
  expect(schemaFaults(broken)).not.toEqual([]);
});

test('the six processes are there, each with its own command', () => {
  for (const [, { command }] of ours) {
    const entry = (command?.[1] ?? '').replace('/dist/', '/src/').replace(/\.js$/, '.ts');
    expect([entry, existsSync(join(root, entry))]).toEqual([entry, true]);
  }
  expect(six.map(([, service]) => service?.command?.[1])).toEqual(
    processTable.map(({ module }) => module.replace(`${root}/`, '').replace('/src/', '/dist/')),
  );
});

test('every variable is a setting, or the file of a secret one', () => {
  for (const [name, { environment = {} }] of [...ours, ...Object.entries(production.services)]) {
    const unknown = Object.keys(environment).filter((variable) => {
      const setting = settings[variable.replace(/_FILE$/, '') as keyof typeof settings];
      return variable !== 'NODE_ENV' && !(setting && (setting.secret || !variable.endsWith('_FILE')));
    });
    expect([name, unknown]).toEqual([name, []]);
  }
});

test('every setting that a process reads is told to it, but those that containers have no use for', () => {
  const here = /_PORT$|^(PORT|DATA_DIR|NODE_ENV|SANDBOX_URL)$/;
  for (const { name, loadConfig } of processTable) {
    const told = new Set([trial, production].flatMap(({ services }) => Object.keys(services[name]?.environment ?? {})));
    const read = new Set<string>();
    const recording = new Proxy({} as Record<string, string>, {
      get: (_, variable) => void read.add(String(variable)),
    });
    expect(() => loadConfig(recording)).toThrow();
    const settingsRead = [...read].filter((variable) => variable in settings && !here.test(variable));
    const missing = settingsRead.filter((variable) => !told.has(variable) && !told.has(`${variable}_FILE`));
    expect([name, settingsRead.length > 5, missing]).toEqual([name, true, []]);
  }
});

test('S25 a trial needs nothing: with the credentials made by the one-shot every process finds its configuration complete', () => {
  writeCredentials(folder, makeCredentials({ main: join(folder, 'main'), production: false }).files);
  for (const { name, loadConfig } of processTable) expect([name, loadConfig(environmentOf(name))]).toBeTruthy();
});

test("a team's texts of mails reach the mailer", () => {
  const { mailer } = readComposeFile('docker-compose.yml', { MAIL_TEXTS: '/srv/texts' }).services;
  expect(mountedAt(mailer as ComposeService, mailer?.environment?.MAIL_TEXTS as string)).toBe('/srv/texts');
  expect(readdirSync(resolve(root, mountedAt(trial.services.mailer as ComposeService, '/texts')))).toContain('en.json');
});

test('S44 production starts with given secrets only, and names those that are missing', () => {
  writeCredentials(folder, makeCredentials({ main: join(folder, 'main'), production: true }).files);
  const faults = processTable.flatMap(({ name, loadConfig }) => {
    try {
      loadConfig(environmentOf(name, production.services[name]?.environment));
      return [];
    } catch (error) {
      return (error as ConfigError).faults.map(({ setting }) => setting);
    }
  });
  expect([...new Set(faults)].sort()).toEqual(
    ['ADMIN_PASSWORD', 'JWT_PRIVATE_KEYS', 'PASSWORD_PEPPER', 'SEALING_KEY', 'SERVICE_SECRET', 'SMTP_URL'].concat([
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
    ]),
  );
  const named = Object.keys(production.secrets).map((name) => name.toUpperCase());
  expect(named.sort()).toEqual([...new Set(faults)].sort());
});

test('S74 production complete: it loads, without stand-ins and without guest', () => {
  writeCredentials(folder, makeCredentials({ main: join(folder, 'main'), production: true }).files);
  const { files } = makeCredentials({ main: join(folder, 'trial'), production: false });
  const content = (name: string) => files.find((file) => file.name === name)?.content ?? '';
  writeCredentials(
    folder,
    [
      ...['jwt-private-keys', 'password-pepper', 'sealing-key', 'service-secret'].map((name) => [name, content(name)]),
      ['admin-password', 'a long enough one'],
      ['smtp-url', 'smtps://user:word@mail.example.org'],
      ['stripe-secret-key', 'sk_live_1'],
      ['stripe-webhook-secret', 'whsec_1'],
    ].map(([name = '', text = '']) => ({
      volume: 'given',
      name: name.replaceAll('-', '_'),
      content: text,
      shared: false,
    })),
  );
  for (const { name, loadConfig } of processTable) {
    const config = loadConfig(environmentOf(name, production.services[name]?.environment));
    expect(JSON.stringify(config)).not.toMatch(/simulator|mailpit|guest/);
  }
  for (const standIn of ['mailpit', 'stripe-simulator'])
    expect(production.services[standIn]?.profiles).toEqual(['trial']);
});

test('our processes run without rights, and cannot write but to memory and their volumes', () => {
  for (const [name, service] of ours) {
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        user: 'node',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: [expect.stringMatching(/^\/tmp/)],
      }),
    ]);
  }
  for (const [name, { user, cap_drop, security_opt }] of Object.entries(trial.services)) {
    expect([name, user === undefined || /^(root|0)(:|$)/.test(user)]).toEqual([name, false]);
    expect([name, cap_drop, security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']]);
  }
});

test('every process is watched and started again; one-shots are started again until they have succeeded', () => {
  for (const [name, { restart, healthcheck }] of Object.entries(trial.services)) {
    const once = ['credentials', 'database', 'migrate'].includes(name);
    expect([name, restart]).toEqual([name, once ? 'on-failure' : 'unless-stopped']);
    expect([name, once ? healthcheck?.disable : (healthcheck?.test?.length ?? 0) > 1]).toEqual([name, true]);
  }
  for (const [name, { depends_on = {} }] of Object.entries(trial.services)) {
    for (const other of Object.keys(depends_on)) expect([name, other in trial.services]).toEqual([name, true]);
  }
});

test('S74 only the gateway can be reached from elsewhere, and databases and broker have no way out', () => {
  const published = Object.entries(trial.services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => [name, port]),
  );
  expect(published.filter(([, port]) => !port?.startsWith('127.0.0.1:'))).toEqual([['gateway', '3000:3000']]);
  expect(trial.networks.engines?.internal).toBe(true);
  expect(trial.services.mongo?.networks).toEqual(['engines']);
  expect(trial.services.gateway?.networks).not.toContain('engines');
});

test('S74 each volume of secrets is made by the one-shot, known to the image, and read by its reader alone', () => {
  const { files } = makeCredentials({ main: join(folder, 'main'), production: false });
  const made = new Set(['main', ...files.map(({ volume }) => volume)]);
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const folders = /for name in ([a-z -]+);/.exec(dockerfile)?.[1]?.split(' ');
  expect(new Set(folders)).toEqual(made);
  const mounted = (trial.services.credentials?.volumes ?? []).map((mount) => mount.split(':')[0]);
  expect(new Set(mounted)).toEqual(new Set([...made].map((name) => `secrets-${name}`)));
  for (const [name, { volumes = [] }] of Object.entries(trial.services)) {
    const secret = volumes.filter((mount) => mount.startsWith('secrets-'));
    if (name === 'credentials') continue;
    expect([name, secret.length <= 1, secret.every((mount) => mount.endsWith(':ro'))]).toEqual([name, true, true]);
  }
});

test('variables are read as compose reads them', () => {
  const variable = (inside: string) => `$\{${inside}}`;
  const nested = variable(`B:-http://x:${variable('C:-3')}`);
  expect(interpolate(`a ${nested} ${variable('D:-')}.`, { C: '4' })).toBe('a http://x:4 .');
  expect(() => interpolate(variable('B:?is needed'), {})).toThrow('B is needed');
});
