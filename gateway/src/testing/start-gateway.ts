import type { ServiceHealth } from '@latchkey/contracts';
import { createLogger } from '@latchkey/kit';
import { type GatewayConfig, loadGatewayConfig } from '../config.js';
import { createGateway } from '../gateway.js';
import { FakeServices } from './fake-services.js';
import { type Answer, type Asked, httpRequest } from './http-request.js';

export interface GatewayUnderTest {
  readonly services: FakeServices;
  readonly port: number;
  /** What was logged, one object a line. */
  readonly log: readonly string[];
  readonly health: Record<string, () => Promise<ServiceHealth>>;
  request(method: string, path: string, asked?: Asked): Promise<Answer>;
  stop(): Promise<void>;
}

/** The gateway on a free port, over fake services. */
export async function startGateway(
  config: Partial<GatewayConfig> = {},
  services = new FakeServices(),
): Promise<GatewayUnderTest> {
  const log: string[] = [];
  const health: GatewayUnderTest['health'] = {};
  const gateway = createGateway({
    config: { ...loadGatewayConfig({}), port: 0, ...config },
    logger: createLogger({ service: 'gateway', level: 'debug', destination: { write: (line) => void log.push(line) } }),
    clock: services.clock,
    auth: services.auth,
    users: services.userService,
    mailer: services.mailer,
    payments: services.payments,
    deadLetters: services.deadLetters,
    health,
  });
  await gateway.start();
  return {
    services,
    log,
    health,
    get port() {
      return gateway.port;
    },
    request: (method, path, asked) => httpRequest(gateway.port, method, path, asked),
    stop: () => gateway.stop(),
  };
}
