import { Card } from '../components/card.js';
import { Page } from '../components/page.js';
import { ResetRequest } from './reset-request.js';

export function ForgotPasswordPage() {
  return (
    <Page title="Forgot your password?" lead="We mail you a link with which you can set a new one.">
      <Card>
        <ResetRequest />
        <p class="aside">
          <a href="/login">Back to log in</a>
        </p>
      </Card>
    </Page>
  );
}
