import { call } from '../api/call.js';
import { Alert } from '../components/alert.js';
import { Card } from '../components/card.js';
import { Field } from '../components/field.js';
import { Form } from '../components/form.js';
import { Page } from '../components/page.js';
import { navigate, placeAfterLogin, usePlace } from '../routing/navigation.js';

export function LoginPage() {
  const { query } = usePlace();
  const next = query.get('next');
  return (
    <Page title="Log in">
      <Card>
        {next !== null && (
          <Alert tone="info">
            <p>Please log in to go on.</p>
          </Alert>
        )}
        <Form
          submitLabel="Log in"
          onSubmit={async ({ email = '', password = '' }) => {
            await call('logIn', { body: { email, password } });
            navigate(placeAfterLogin(next), { replace: true });
          }}
        >
          <Field label="Email" name="email" type="email" autocomplete="username" />
          <Field label="Password" name="password" type="password" autocomplete="current-password" />
        </Form>
        <p class="aside">
          <a href="/forgot-password">Forgot your password?</a>
        </p>
      </Card>
    </Page>
  );
}
