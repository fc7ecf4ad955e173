/** Where pages are, and the title of the document until its script has one of its own. The web application's routes are the same (a test holds that). */
export const pagePaths: Readonly<Record<string, string>> = {
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
};

const places = Object.entries(pagePaths).map(([pattern, title]) => ({
  pattern,
  title,
  expression: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`),
}));

/** The page at `path`: its title, and its pattern for the log. Undefined when there is none. */
export function pageAt(path: string): { readonly pattern: string; readonly title: string } | undefined {
  return places.find(({ expression }) => expression.test(path));
}
