import { authApi, deadLetterApi, type Endpoint, mailerApi, paymentApi, userApi } from '@latchkey/contracts';
import {
  type CallContext,
  createClient,
  httpTransport,
  loadConfig,
  newRequestId,
  OPERATOR,
  Problem,
  ServiceTokenRejectedError,
  settings,
} from '@latchkey/kit';
import { withKeptSecrets } from '../secrets.js';
import { operatorName } from './operator-name.js';
import { CommandError, type Terminal } from './terminal.js';

const picked = {
  auth: settings.AUTH_URL,
  user: settings.USER_URL,
  payment: settings.PAYMENT_URL,
  'payment-processor': settings.PROCESSOR_URL,
  mailer: settings.MAILER_URL,
  serviceSecrets: settings.SERVICE_SECRET,
};
type ServiceName = Exclude<keyof typeof picked, 'serviceSecrets'>;

export type RunningServices = ReturnType<typeof connect>['services'];

/**
 * Gives `work` the services of the running system, a standalone one or separate processes alike: each shows its own routes on a port, behind a service token
 * that the installation's SERVICE_SECRET signs.
 */
export async function withServices<T>(terminal: Terminal, work: (services: RunningServices) => Promise<T>): Promise<T> {
  const { services, close } = connect(terminal);
  try {
    return await work(services);
  } finally {
    await close();
  }
}

function connect({ environment, clock }: Terminal) {
  const { dataDir } = loadConfig({ dataDir: settings.DATA_DIR }, environment);
  const config = loadConfig(picked, withKeptSecrets(environment, dataDir));
  const secret = config.serviceSecrets[0] as string;
  const transports: { stop(): Promise<void> }[] = [];

  function client<const Api extends Record<string, Endpoint>>(api: Api, service: ServiceName) {
    const baseUrls = config[service];
    const transport = httpTransport({ baseUrls, caller: OPERATOR, audience: service, secret, clock, connections: 4 });
    transports.push(transport);
    return createClient(api, {
      call: (endpoint, input, context) =>
        transport.call(endpoint, input, context).catch((error: unknown) => {
          throw explained(error, service, baseUrls.join(', '));
        }),
    });
  }

  const services = {
    auth: client(authApi, 'auth'),
    users: client(userApi, 'user'),
    payments: client(paymentApi, 'payment'),
    mailer: client(mailerApi, 'mailer'),
    deadLetters: {
      auth: client(deadLetterApi, 'auth'),
      user: client(deadLetterApi, 'user'),
      payment: client(deadLetterApi, 'payment-processor'),
      mailer: client(deadLetterApi, 'mailer'),
    },
    /** A call on behalf of the person at this terminal, who may do everything. */
    context: (): CallContext => ({
      requestId: newRequestId(),
      deadline: clock.now() + 30_000,
      principal: { userId: 0, role: 'admin', sessionId: null },
      client: { address: 'operator', userAgent: operatorName(), languages: null },
    }),
  };
  return {
    services,
    close: async () => {
      await Promise.all(transports.map((transport) => transport.stop()));
    },
  };
}

function explained(error: unknown, service: ServiceName, where: string): unknown {
  if (!(error instanceof Problem) || error.code !== 'service-unavailable') return error;
  if (error.cause instanceof ServiceTokenRejectedError)
    return new CommandError(
      `The ${service} service at ${where} belongs to another installation: its SERVICE_SECRET is not the one found here. Set DATA_DIR, or SERVICE_SECRET itself, to that installation's.`,
    );
  if (error.cause === undefined) return error;
  const setting = service === 'payment-processor' ? 'PROCESSOR' : service.toUpperCase();
  return new CommandError(
    `The ${service} service does not answer at ${where}. Does Latchkey run? ${setting}_URL or ${setting}_PORT says where it is.`,
  );
}
