import { userApi } from '@latchkey/contracts';
import {
  createServiceProcess,
  loadProcessConfig,
  type Parts,
  type ProcessOptions,
  type ServiceProcess,
} from '@latchkey/hosting';
import {
  type Component,
  type Environment,
  loadConfig,
  loadTogether,
  type Service,
  type Setting,
  settings,
} from '@latchkey/kit';
import type { PaymentOptions } from './compose.js';
import { loadPaymentConfig } from './config.js';
import { createPayment } from './payment.js';
import { createPaymentProcessor } from './payment-processor.js';
import { createStripeProvider } from './payment-provider.stripe.js';
import { loadProviderConfig } from './provider-config.js';

const roles = {
  payment: { port: settings.PAYMENT_PORT, webhooks: true, create: createPayment },
  'payment-processor': { port: settings.PROCESSOR_PORT, webhooks: false, create: createPaymentProcessor },
} satisfies Record<string, { port: Setting<number>; webhooks: boolean; create: (options: PaymentOptions) => Service }>;

type Role = keyof typeof roles;

export function loadPaymentProcessConfig(role: Role, environment: Environment) {
  const { port, webhooks } = roles[role];
  return loadTogether(
    {
      process: loadProcessConfig(port),
      payment: loadPaymentConfig,
      provider: (given) => loadProviderConfig(given, { webhooks }),
      neighbours: (given) => loadConfig({ userUrl: settings.USER_URL }, given),
    },
    environment,
  );
}

/** The payment API as a process of its own. Throws `ConfigError` with all faults. */
export function createPaymentProcess(environment: Environment, options?: ProcessOptions): ServiceProcess {
  return createProcessAs('payment', environment, options);
}

/** The payment processor as a process of its own, on the payment API's database. Throws `ConfigError` with all faults. */
export function createPaymentProcessorProcess(environment: Environment, options?: ProcessOptions): ServiceProcess {
  return createProcessAs('payment-processor', environment, options);
}

function createProcessAs(role: Role, environment: Environment, options: ProcessOptions = {}): ServiceProcess {
  const { process, payment: config, provider: forProvider, neighbours } = loadPaymentProcessConfig(role, environment);
  return createServiceProcess<Service>({
    name: role,
    database: 'payment',
    config: process,
    options,
    compose({ client }) {
      const users = client(userApi, 'user', neighbours.userUrl);
      const provider = createStripeProvider(forProvider);
      const connections: Component = {
        name: 'payment provider',
        start: async () => undefined,
        stop: async () => provider.close(),
      };
      return {
        before: [connections],
        service: (parts: Parts) => roles[role].create({ ...parts, config, users, provider }),
      };
    },
  });
}
