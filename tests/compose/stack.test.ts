// What only real containers show. The contract tests run against the same stack, as they are (see jest.config.cjs).
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { config } from 'docker-compose';
import { ComposeStack } from '../support/compose-stack.js';
import { eventually } from '../support/eventually.js';

const stack = ComposeStack.shared();
const ours = ['gateway', 'auth', 'user', 'payment', 'payment-processor', 'mailer'];

const docker = async (...words: string[]) => (await promisify(execFile)('docker', words)).stdout.trim();
const inProject = ['--filter', `label=com.docker.compose.project=${stack.address.project}`];
const containerOf = (service: string) =>
  docker('ps', '--all', '--quiet', ...inProject, '--filter', `label=com.docker.compose.service=${service}`);

async function inspect<T>(service: string, path: string): Promise<T> {
  return JSON.parse(await docker('inspect', '--format', `{{json ${path}}}`, await containerOf(service))) as T;
}

/** The process itself, the child of the container's init: Docker does not start again what it was told to kill. */
const killMain = `
  const [child] = require('node:fs').readFileSync('/proc/1/task/1/children', 'utf8').split(' ');
  process.kill(Number(child), 'SIGKILL');`;

const isHealthy = () =>
  fetch(`${stack.url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

test('both compose files are valid, and the stricter one has no stand-ins', async () => {
  const given = { PUBLIC_URL: 'https://id.example.org', ADMIN_EMAIL: 'root@example.org', MAIL_FROM: 'id@example.org' };
  const { data } = await config({
    cwd: stack.options.cwd as string,
    config: ['docker-compose.yml', 'compose.production.yml'],
    env: { ...process.env, ...given },
  });
  const names = Object.keys(data.config.services);
  expect(names).toEqual(expect.arrayContaining(ours));
  for (const standIn of ['mailpit', 'stripe-simulator']) expect(names).not.toContain(standIn);
});

test('the one-shots have succeeded', async () => {
  for (const service of ['credentials', 'database', 'migrate']) {
    const { Status, ExitCode } = await inspect<{ Status: string; ExitCode: number }>(service, '.State');
    expect([service, Status, ExitCode]).toEqual([service, 'exited', 0]);
  }
});

test.each(ours)('%s runs without rights and cannot write to its file system', async (service) => {
  expect(await docker('exec', await containerOf(service), 'id', '-u')).toBe('1000');
  await expect(docker('exec', await containerOf(service), 'touch', '/app/x')).rejects.toThrow(/Read-only file system/);
});

test('S74 only the gateway is open to other machines', async () => {
  const services = (await docker('ps', ...inProject, '--format', '{{.Label "com.docker.compose.service"}}')).split(
    '\n',
  );
  const open: string[] = [];
  for (const service of services) {
    const ports = await inspect<Record<string, { HostIp: string }[] | null>>(service, '.NetworkSettings.Ports');
    const addresses = Object.values(ports).flatMap((bindings) => (bindings ?? []).map(({ HostIp }) => HostIp));
    if (addresses.some((address) => address !== '127.0.0.1')) open.push(service);
  }
  expect(open).toEqual(['gateway']);
});

test('F1 F2 F3 F4 F5 kill -9 of any process: its container is started again, and the system is healthy', async () => {
  for (const service of ours) {
    const container = await containerOf(service);
    const before = await inspect<number>(service, '.RestartCount');
    await docker('exec', container, 'node', '-e', killMain);
    await eventually(
      `another ${service}`,
      async () => (await inspect<number>(service, '.RestartCount')) > before,
      60_000,
    );
    // Its own word first: the gateway's may be from before.
    const ownHealth = () => inspect<string>(service, '.State.Health.Status');
    await eventually(`a healthy ${service}`, async () => (await ownHealth()) === 'healthy', 60_000);
    await eventually('a healthy system', isHealthy, 60_000);
  }
}, 600_000);
