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

const patterns = Object.entries(pagePaths).map(([path, title]) => ({
  title,
  expression: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
}));

/** The title of the page at `path`, or undefined when there is none. */
export function titleOf(path: string): string | undefined {
  return patterns.find(({ expression }) => expression.test(path))?.title;
}
