import { ConfigError, type ConfigOf, type Environment, loadConfig, settings } from '@latchkey/kit';

const picked = {
  dataDir: settings.DATA_DIR,
  mongodbUri: settings.MONGODB_URI,
  amqpUrl: settings.AMQP_URL,
  smtpUrl: settings.SMTP_URL,
  stripeSecretKey: settings.STRIPE_SECRET_KEY,
  stripeWebhookSecrets: settings.STRIPE_WEBHOOK_SECRET,
  stripeApiUrl: settings.STRIPE_API_URL,
};

/** The installation that is looked at. A setting with a fault, which is told of on its own, counts as not given here. */
export interface Examined extends Partial<ConfigOf<typeof picked>> {
  readonly environment: Environment;
  readonly dataDir: string;
  readonly production: boolean;
  /** Whether it runs as one process or as six. */
  readonly as: 'standalone' | 'processes';
}

export function examine(environment: Environment, as: Examined['as'] | undefined): Examined {
  const usable = Object.fromEntries(
    Object.entries(picked).map(([key, setting]) => {
      try {
        return [key, loadConfig({ setting }, environment).setting];
      } catch (error) {
        if (error instanceof ConfigError) return [key, undefined];
        throw error;
      }
    }),
  ) as Partial<ConfigOf<typeof picked>>;
  return {
    ...usable,
    environment,
    dataDir: usable.dataDir ?? './data',
    production: environment.NODE_ENV === 'production',
    as: as ?? (usable.mongodbUri && usable.amqpUrl ? 'processes' : 'standalone'),
  };
}
