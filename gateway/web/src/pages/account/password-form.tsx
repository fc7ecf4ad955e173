import type { User } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { Alert } from '../../components/alert.js';
import { Card } from '../../components/card.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { settings } from '../../settings.js';

/** A changed password ends every other session (S45). */
export function PasswordForm({ user, onChanged }: { user: User; onChanged(): void }) {
  const [times, setTimes] = useState(0);
  return (
    <Card title="Password" lead="Changing it ends every other session.">
      {times > 0 && (
        <Alert tone="success" takesFocus key={times}>
          <p>Your password is changed, and every other session has ended.</p>
        </Alert>
      )}
      <Form
        key={times}
        label="Password"
        submitLabel="Change password"
        variant="secondary"
        isWide={false}
        onSubmit={async ({ password = '', current_password = '' }) => {
          await call('updateUser', { params: { id: String(user.id) }, body: { password, current_password } });
          setTimes(times + 1);
          onChanged();
        }}
      >
        {/* Tells password managers whose password this is. */}
        <input class="visually-hidden" type="text" autoComplete="username" value={user.email} readOnly hidden />
        <div class="columns">
          <Field label="Current password" name="current_password" type="password" autocomplete="current-password" />
          <Field
            label="New password"
            name="password"
            type="password"
            autocomplete="new-password"
            minLength={settings.passwordMinLength}
            hint={`At least ${settings.passwordMinLength} characters.`}
          />
        </div>
      </Form>
      <p class="aside">
        You do not know it any more? <a href="/forgot-password">Have a reset link mailed</a>.
      </p>
    </Card>
  );
}
