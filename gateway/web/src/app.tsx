import type { ComponentType } from 'preact';
import { Layout } from './components/layout.js';
import { pageComponents } from './pages/index.js';
import { NotFound } from './pages/not-found.js';
import { lazy } from './routing/lazy.js';
import { usePlace } from './routing/navigation.js';
import { matchRoute, type RoutePattern } from './routing/routes.js';

const Admin = lazy(() => import('./admin/index.js'));

export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

const components: Record<RoutePattern, ComponentType<PageProps>> = {
  ...pageComponents,
  '/admin': Admin,
  '/admin/:section': Admin,
  '/admin/:section/:id': Admin,
};

/** The page that the address names, within the frame of all pages. */
export function App() {
  const { path } = usePlace();
  const match = matchRoute(path);
  const Page = match ? components[match.pattern] : NotFound;
  return (
    <Layout wide={match?.pattern.startsWith('/admin') ?? false}>
      <Page params={match?.params ?? {}} key={match?.pattern.startsWith('/admin') ? '/admin' : path} />
    </Layout>
  );
}
