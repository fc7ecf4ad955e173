import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HealthStatus } from '@latchkey/contracts';
import { remoteHealth } from './remote-health.js';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function instance(status: HealthStatus): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status === 'down' ? 503 : 200).end(JSON.stringify({ status, checks: {} })),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const gone = 'http://127.0.0.1:1';

test.each([
  { instances: ['ok'], gone: 0, status: 'ok' },
  { instances: ['ok', 'ok'], gone: 0, status: 'ok' },
  { instances: ['degraded', 'ok'], gone: 0, status: 'ok' },
  { instances: ['ok'], gone: 1, status: 'degraded' },
  { instances: ['down', 'ok'], gone: 0, status: 'degraded' },
  { instances: ['down'], gone: 1, status: 'down' },
  { instances: [], gone: 2, status: 'down' },
] as { instances: HealthStatus[]; gone: number; status: HealthStatus }[])(
  'F36 a service serves as long as one of its instances does: $instances and $gone gone is $status',
  async (given) => {
    const up = await Promise.all(given.instances.map(instance));
    const health = remoteHealth({ baseUrls: [...Array<string>(given.gone).fill(gone), ...up] });
    expect((await health()).status).toBe(given.status);
  },
);
