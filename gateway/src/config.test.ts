import { isSecureCookie, loadGatewayConfig } from './config.js';

test('everything has a default', () => {
  expect(loadGatewayConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    allowedOrigins: [],
    cookieName: 'access_token',
  });
});

test('S28 a prefixed cookie name needs https, or localhost to try it', () => {
  const load = (PUBLIC_URL: string) => loadGatewayConfig({ COOKIE_NAME: '__Host-access_token', PUBLIC_URL });
  expect(() => load('http://id.example.com')).toThrow(/COOKIE_NAME/);
  expect(isSecureCookie(load('https://id.example.com'))).toBe(true);
  expect(isSecureCookie(load('http://localhost:3000'))).toBe(true);
});

test('S27 the cookie is Secure exactly when PUBLIC_URL is https', () => {
  expect(isSecureCookie(loadGatewayConfig({ PUBLIC_URL: 'https://id.example.com' }))).toBe(true);
  expect(isSecureCookie(loadGatewayConfig({ PUBLIC_URL: 'http://id.example.com' }))).toBe(false);
});
