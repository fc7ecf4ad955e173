import { useState } from 'preact/hooks';
import { call } from '../api/call.js';
import { Alert } from '../components/alert.js';
import { Field } from '../components/field.js';
import { Form } from '../components/form.js';

/** Asks for a reset link; afterwards the API's message, which is the same for every address (S16). */
export function ResetRequest() {
  const [message, setMessage] = useState<string>();
  if (message !== undefined)
    return (
      <>
        <Alert tone="success" takesFocus>
          <p>{message}</p>
        </Alert>
        <p class="aside">
          No mail after a few minutes? Look into the spam folder, or{' '}
          <button type="button" class="link-button" onClick={() => setMessage(undefined)}>
            ask again
          </button>
          .
        </p>
      </>
    );
  return (
    <Form
      submitLabel="Send reset link"
      onSubmit={async ({ email = '' }) => {
        const answer = await call('resetPassword', { body: { email } });
        setMessage(answer.message);
      }}
    >
      <Field label="Email" name="email" type="email" autocomplete="username" />
    </Form>
  );
}
