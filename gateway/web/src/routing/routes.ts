/** Every page of this application; the gateway serves its document at the same paths (gateway/src/pages/page-paths.ts, held together by a test). */
export const routes = {
  '/login': 'Log in',
  '/forgot-password': 'Forgot your password?',
  '/change-password': 'Set a new password',
  '/not-me': 'This was not me',
  '/confirm-email': 'Confirm your email',
  '/account': 'Your account',
  '/pricing': 'Pricing',
  '/checkout/:id': 'Your order',
  '/admin': 'Administration',
  '/admin/:section': 'Administration',
  '/admin/:section/:id': 'Administration',
} as const;

export type RoutePattern = keyof typeof routes;

export interface Match {
  readonly pattern: RoutePattern;
  readonly params: Readonly<Record<string, string>>;
}

const patterns = (Object.keys(routes) as RoutePattern[]).map((pattern) => ({
  pattern,
  expression: new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`),
}));

/** Which page a path leads to, or undefined when it is none of ours. */
export function matchRoute(path: string): Match | undefined {
  for (const { pattern, expression } of patterns) {
    const found = expression.exec(path);
    if (!found) continue;
    const params = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decode(value)]);
    return { pattern, params: Object.fromEntries(params) };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
