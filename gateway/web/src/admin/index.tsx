import type { PageProps } from '../app.js';
import { Card } from '../components/card.js';
import { Page } from '../components/page.js';

/** The administration: `/admin`, `/admin/:section`, `/admin/:section/:id`. A chunk of its own, which nobody else loads. */
export default function Admin(_props: PageProps) {
  return (
    <Page title="Administration" width="wide">
      <Card title="Not built yet">
        <p>Use the API meanwhile.</p>
      </Card>
    </Page>
  );
}
