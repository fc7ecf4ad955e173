import type { User } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { Alert } from '../../components/alert.js';
import { Card } from '../../components/card.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';

/** A changed email takes effect when the link mailed to it is confirmed (S70). */
export function EmailForm({ user, onChanged }: { user: User; onChanged(user: User): void }) {
  const [awaited, setAwaited] = useState<string>();
  return (
    <Card title="Email" lead={`You log in with ${user.email}, and mails go there.`}>
      {awaited !== undefined && (
        <Alert tone="success" takesFocus>
          <p>
            We mailed a link to {awaited}. The address is changed when you have followed it; until then {user.email}{' '}
            stays in use.
          </p>
        </Alert>
      )}
      <Form
        key={awaited}
        label="Email"
        submitLabel="Change email"
        variant="secondary"
        isWide={false}
        onSubmit={async ({ email = '', current_password = '' }) => {
          const params = { id: String(user.id) };
          const answer = await call('updateUser', { params, body: { email, current_password } });
          onChanged(answer.user);
          setAwaited(email);
        }}
      >
        <div class="columns">
          <Field label="New email" name="email" type="email" autocomplete="email" />
          <Field label="Current password" name="current_password" type="password" autocomplete="current-password" />
        </div>
      </Form>
    </Card>
  );
}
