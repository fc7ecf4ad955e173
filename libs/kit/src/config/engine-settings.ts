import { type Environment, optional, setting } from './setting.js';
import { headerPairs, list, mailAddress, onOff, share, text, url, webUrl } from './values.js';

/** RabbitMQ's sample account must not guard a production broker (S74). */
function guestFault(address: string): string | null {
  const { username } = new URL(address);
  return username === '' || username === 'guest' ? 'may not use the account guest: give it one of its own' : null;
}

function senderDefault(environment: Environment): string {
  const address = environment.PUBLIC_URL?.trim() ?? '';
  return `no-reply@${URL.canParse(address) ? new URL(address).hostname : 'localhost'}`;
}

/** What the services lean on: databases, queue, mail server, payment provider. Addresses carry passwords, so they count as secrets. */
export const engineSettings = {
  DATA_DIR: setting(text, './data', {
    description: "Databases, queue, generated secrets and the simulator's state",
  }),
  MONGODB_URI: optional(url('mongodb', 'mongodb+srv'), {
    description: 'MongoDB; each service uses its own database there',
    whenEmpty: 'SQLite files in DATA_DIR',
    secret: true,
  }),
  BUILD_INDEXES: setting(onOff, 'on', {
    description:
      'Whether a start on MongoDB builds the indexes; off: npm run migrate does, and a start without them is refused',
  }),
  AMQP_URL: optional(url('amqp', 'amqps'), {
    description: 'RabbitMQ',
    whenEmpty: 'a durable queue in DATA_DIR',
    secret: true,
    productionFault: (value) => (value === undefined ? null : guestFault(value)),
  }),
  SMTP_URL: optional(url('smtp', 'smtps'), {
    description: 'The mail server',
    whenEmpty: 'the built-in mailbox',
    secret: true,
  }),
  MAIL_FROM: setting(mailAddress, senderDefault, {
    description: 'Sender of every mail',
    whenEmpty: 'no-reply@ and the host of PUBLIC_URL',
  }),
  STRIPE_SECRET_KEY: optional(text, {
    description: "Stripe's secret key",
    whenEmpty: 'the built-in payment simulator',
    secret: true,
  }),
  STRIPE_WEBHOOK_SECRET: optional(
    list('one or two secrets, comma-separated', () => true),
    {
      description: "Secrets of Stripe's webhook; two during a rotation (S73)",
      whenEmpty: "the simulator's",
      secret: true,
    },
  ),
  STRIPE_API_URL: optional(webUrl, { description: 'Points the Stripe SDK at another host', whenEmpty: "Stripe's own" }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(webUrl, {
    description: 'OpenTelemetry collector that traces are sent to, by OTLP over HTTP',
    whenEmpty: 'no tracing',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: optional(headerPairs, {
    description: 'Headers for the collector, such as authorization=Basic%20abc, comma-separated',
    whenEmpty: 'none',
    secret: true,
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(share, '1', { description: 'Share of traces that is kept, 0 to 1' }),
};
