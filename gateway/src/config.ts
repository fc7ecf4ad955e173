import { ConfigError, type Environment, loadConfig, settings } from '@latchkey/kit';

/** What the gateway needs to know. `trustProxy`: hops, or addresses and networks. `bodyLimit`: bytes. */
export interface GatewayConfig {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
  readonly trustProxy: number | readonly string[];
  readonly cookieName: string;
  readonly bodyLimit: number;
  readonly rateLimitScale: number;
  readonly pages: boolean;
  readonly brandName: string;
  readonly brandColor: string;
  readonly brandLogo: string | undefined;
  /** Only told to who chooses a password: auth decides. */
  readonly passwordMinLength: number;
}

/** Throws `ConfigError`, which names every fault. */
export function loadGatewayConfig(environment: Environment): GatewayConfig {
  const { allowedOrigins, ...config } = loadConfig(
    {
      host: settings.HOST,
      port: settings.PORT,
      publicUrl: settings.PUBLIC_URL,
      allowedOrigins: settings.ALLOWED_ORIGINS,
      trustProxy: settings.TRUST_PROXY,
      cookieName: settings.COOKIE_NAME,
      bodyLimit: settings.BODY_LIMIT,
      rateLimitScale: settings.RATE_LIMIT_SCALE,
      pages: settings.PAGES,
      brandName: settings.BRAND_NAME,
      brandColor: settings.BRAND_COLOR,
      brandLogo: settings.BRAND_LOGO,
      passwordMinLength: settings.PASSWORD_MIN_LENGTH,
    },
    environment,
  );
  const fault = cookieFault(config.cookieName, config.publicUrl);
  if (fault !== null) throw new ConfigError([{ setting: 'COOKIE_NAME', message: fault }]);
  return { ...config, allowedOrigins: allowedOrigins ?? [] };
}

/** `Secure` whenever PUBLIC_URL is https; a name with a prefix is only kept by browsers with it (S28, RFC 6265bis §4.1.3). */
export function isSecureCookie({ cookieName, publicUrl }: Pick<GatewayConfig, 'cookieName' | 'publicUrl'>): boolean {
  return publicUrl.startsWith('https:') || hasPrefix(cookieName);
}

function cookieFault(name: string, publicUrl: string): string | null {
  const { protocol, hostname } = new URL(publicUrl);
  // Browsers treat localhost as trustworthy, so prefixed names can be tried there.
  if (!hasPrefix(name) || protocol === 'https:' || hostname === 'localhost') return null;
  return 'begins with a prefix that browsers accept over https only, and PUBLIC_URL is not https';
}

function hasPrefix(name: string): boolean {
  return /^__(host|secure|http|host-http)-/i.test(name);
}
