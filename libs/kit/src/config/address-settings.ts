import { type Environment, optional, setting } from './setting.js';
import { list, matching, oneOf, onOff, port, text, trustedProxies, webUrl, webUrls } from './values.js';

const ports = {
  PORT: '3000',
  AUTH_PORT: '3001',
  USER_PORT: '3002',
  PAYMENT_PORT: '3003',
  PROCESSOR_PORT: '3004',
  MAILER_PORT: '3005',
  GATEWAY_METRICS_PORT: '3006',
  SANDBOX_PORT: '3007',
};

const local = (name: keyof typeof ports, host: string) => (environment: Environment) =>
  `http://${host}:${environment[name]?.trim() || ports[name]}`;

const servicePort = (service: string, number: string) =>
  setting(port, number, { description: `Port of the ${service}'s own routes, health and metrics` });

const serviceUrl = (service: string, name: keyof typeof ports) =>
  setting(webUrls, local(name, '127.0.0.1'), {
    description: `Where a process finds the ${service}; several instances comma-separated, or a name that stands for all`,
    whenEmpty: `http://127.0.0.1:$${name}`,
  });

const isOrigin = (item: string) => URL.canParse(item) && new URL(item).origin === item;

/** Where things are, and what the outside may reach. */
export const addressSettings = {
  PORT: setting(port, ports.PORT, { description: 'Port of the gateway' }),
  HOST: setting(text, '127.0.0.1', {
    description: 'Address the gateway listens on, and a service that runs as a process of its own',
  }),
  AUTH_PORT: servicePort('auth service', ports.AUTH_PORT),
  USER_PORT: servicePort('user service', ports.USER_PORT),
  PAYMENT_PORT: servicePort('payment service', ports.PAYMENT_PORT),
  PROCESSOR_PORT: servicePort('payment processor', ports.PROCESSOR_PORT),
  MAILER_PORT: servicePort('mailer', ports.MAILER_PORT),
  GATEWAY_METRICS_PORT: setting(port, ports.GATEWAY_METRICS_PORT, {
    description: "Port of the gateway's metrics, which never pass through PORT",
  }),
  SANDBOX_PORT: setting(port, ports.SANDBOX_PORT, {
    description: 'Port of the mailbox page and the payment simulator, where no service hosts them',
  }),
  AUTH_URL: serviceUrl('auth service', 'AUTH_PORT'),
  USER_URL: serviceUrl('user service', 'USER_PORT'),
  PAYMENT_URL: serviceUrl('payment service', 'PAYMENT_PORT'),
  PROCESSOR_URL: serviceUrl('payment processor', 'PROCESSOR_PORT'),
  MAILER_URL: serviceUrl('mailer', 'MAILER_PORT'),
  GATEWAY_URL: setting(webUrl, local('PORT', '127.0.0.1'), {
    description: 'Where the payment simulator finds the gateway, to send its webhooks',
    whenEmpty: 'http://127.0.0.1:$PORT',
  }),
  SANDBOX_URL: setting(webUrl, local('SANDBOX_PORT', 'localhost'), {
    description: 'Where browsers find the payment simulator, where no service hosts it',
    whenEmpty: 'http://localhost:$SANDBOX_PORT',
  }),
  PUBLIC_URL: setting(webUrl, local('PORT', 'localhost'), {
    description: 'What links and redirects are built from, never the Host header (S56)',
    whenEmpty: 'http://localhost:$PORT',
  }),
  RESET_LINK_URL: optional(webUrl, {
    description: 'Replaces the part before ? of reset and invitation links',
    whenEmpty: 'our own page, $PUBLIC_URL/change-password',
  }),
  CHECKOUT_RETURN_URL: optional(webUrl, {
    description: 'Where the payment page sends the buyer back to',
    whenEmpty: 'our own page, $PUBLIC_URL/checkout/:id',
  }),
  ALLOWED_ORIGINS: optional(list('origins such as https://app.example.org, comma-separated', isOrigin), {
    description: 'Other origins whose pages may call the API with cookies (S63, S67)',
    whenEmpty: 'none but our own',
  }),
  PAGES: setting(onOff, 'on', { description: 'Whether the gateway serves its pages' }),
  TRUST_PROXY: setting(trustedProxies, 'none', {
    description: 'Proxies whose X-Forwarded-For is believed (S20)',
    whenEmpty: 'none: the address of the socket counts',
  }),
  COOKIE_NAME: setting(matching('a cookie name', /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/), 'access_token', {
    description: 'Name of the session cookie (S27, S28)',
  }),
  USER_ACCESS: setting(oneOf('roles', 'any-session'), 'roles', {
    description: 'Who may use the user routes: by role, or every session for everything',
  }),
};
