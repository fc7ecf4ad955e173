import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Alert } from '../components/alert.js';
import { Button } from '../components/button.js';
import { Loading } from '../components/loading.js';

/** A page in a chunk of its own, fetched when it is first shown. A chunk that cannot be fetched (the network, or a newer release) offers to load the page again. */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [Page, setPage] = useState<ComponentType<P> | undefined>(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (module) => {
          loaded = module.default;
          setPage(() => loaded);
        },
        () => setFailed(true),
      );
    }, []);
    if (Page) return <Page {...props} />;
    if (!hasFailed) return <Loading />;
    return (
      <Alert tone="danger">
        <p>This page could not be loaded.</p>
        <Button variant="secondary" onClick={() => location.reload()}>
          Load it again
        </Button>
      </Alert>
    );
  };
}
