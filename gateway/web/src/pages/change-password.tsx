import { useState } from 'preact/hooks';
import { call } from '../api/call.js';
import { Refusal } from '../api/refusal.js';
import { useResource } from '../api/use-resource.js';
import { Alert } from '../components/alert.js';
import { ButtonLink } from '../components/button.js';
import { Card } from '../components/card.js';
import { Field } from '../components/field.js';
import { Form } from '../components/form.js';
import { Loading } from '../components/loading.js';
import { Page } from '../components/page.js';
import { RefusalAlert } from '../components/refusal-alert.js';
import { forgetLinkSecret, takeLinkSecret } from '../routing/link-secret.js';
import { settings } from '../settings.js';
import { ResetRequest } from './reset-request.js';

/** Where reset links and invitations lead. Opening it spends nothing: only its button does (S53: a refused password does not either). */
export function ChangePasswordPage() {
  const [secret] = useState(() => takeLinkSecret('reset_token'));
  const [message, setMessage] = useState<string>();
  const [isDead, setDead] = useState(secret === undefined);
  // Asked before a password is thought up.
  const check = useResource(async () => {
    if (!secret) return;
    await unlessDead(call('checkResetToken', { body: { reset_token: secret.token, user_id: secret.userId } }));
  });

  async function unlessDead<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof Refusal) || !meansDeadLink(error)) throw error;
      forgetLinkSecret();
      setDead(true);
      return undefined;
    }
  }

  if (message !== undefined) return <Updated message={message} />;
  if (isDead || !secret) return <DeadLink />;
  return (
    <Page title="Set a new password">
      <Card>
        {check.isLoading && <Loading text="Checking the link …" />}
        <RefusalAlert refusal={check.refusal} onRetry={check.reload} />
        {!check.isLoading && !check.refusal && (
          <Form
            submitLabel="Set new password"
            onSubmit={async ({ password = '' }) => {
              const body = { reset_token: secret.token, user_id: secret.userId, password };
              const answer = await unlessDead(call('changePassword', { body }));
              if (!answer) return;
              forgetLinkSecret();
              setMessage(answer.message);
            }}
          >
            <Field
              label="New password"
              name="password"
              type="password"
              autocomplete="new-password"
              minLength={settings.passwordMinLength}
              hint={`At least ${settings.passwordMinLength} characters. A few words in a row are easy to remember and hard to guess.`}
            />
          </Form>
        )}
      </Card>
    </Page>
  );
}

/** A mangled link is as dead as an old one; what is wrong with a new password is not the link's fault. */
function meansDeadLink({ code, fields }: Refusal): boolean {
  if (code === 'reset-token-invalid') return true;
  return code === 'validation-failed' && (fields.includes('reset_token') || fields.includes('user_id'));
}

function Updated({ message }: { message: string }) {
  return (
    <Page title="You can log in again">
      <Card>
        <Alert tone="success" takesFocus>
          <p>{message}</p>
        </Alert>
        <ButtonLink href="/login" size="wide">
          Log in
        </ButtonLink>
      </Card>
    </Page>
  );
}

function DeadLink() {
  return (
    <Page title="Ask for a new link">
      <Card>
        <Alert tone="warning" takesFocus>
          <p>This link is expired or already used. You can have a new one here and now:</p>
        </Alert>
        <ResetRequest />
        <p class="aside">
          <a href="/login">Back to log in</a>
        </p>
      </Card>
    </Page>
  );
}
