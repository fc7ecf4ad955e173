import { ButtonLink } from '../components/button.js';
import { Card } from '../components/card.js';
import { Page } from '../components/page.js';

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Card>
        <p>The address may be mistyped, or the page has gone.</p>
        <ButtonLink href="/account" size="wide">
          Go to your account
        </ButtonLink>
      </Card>
    </Page>
  );
}
