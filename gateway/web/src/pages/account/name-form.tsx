import type { User } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { Alert } from '../../components/alert.js';
import { Card } from '../../components/card.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';

export function NameForm({ user, onChanged }: { user: User; onChanged(user: User): void }) {
  const [isDone, setDone] = useState(false);
  return (
    <Card title="Name">
      {isDone && (
        <Alert tone="success">
          <p>Your name is saved.</p>
        </Alert>
      )}
      <Form
        label="Name"
        submitLabel="Save name"
        variant="secondary"
        isWide={false}
        onSubmit={async ({ first_name = '', last_name = '' }) => {
          setDone(false);
          const params = { id: String(user.id) };
          const answer = await call('updateUser', { params, body: { first_name, last_name } });
          onChanged(answer.user);
          setDone(true);
        }}
      >
        <div class="columns">
          <Field label="First name" name="first_name" defaultValue={user.first_name} autocomplete="given-name" />
          <Field label="Last name" name="last_name" defaultValue={user.last_name} autocomplete="family-name" />
        </div>
      </Form>
    </Card>
  );
}
