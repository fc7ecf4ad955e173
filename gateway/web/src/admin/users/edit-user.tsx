import type { Role, User } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { Alert } from '../../components/alert.js';
import { Card } from '../../components/card.js';
import { Field, SelectField } from '../../components/field.js';
import { Form, type FormValues } from '../../components/form.js';
import { roles, toRole } from './roles.js';

/** Sends only what was changed, so that two admins who edit different fields do not undo each other's work. */
export function EditUser({ user, isSelf, onChanged }: { user: User; isSelf: boolean; onChanged(): Promise<unknown> }) {
  const [said, setSaid] = useState<string>();
  return (
    <Card
      title="Edit"
      lead={
        isSelf && (
          <>
            You change your own email and password on <a href="/account">your account’s page</a>.
          </>
        )
      }
    >
      {said !== undefined && (
        <Alert tone="success">
          <p>{said}</p>
        </Alert>
      )}
      <Form
        key={user.updatedAt}
        label="Edit"
        submitLabel="Save"
        isWide={false}
        onSubmit={async (values) => {
          setSaid(undefined);
          const body = changesOf(user, values);
          if (Object.keys(body).length === 0) return setSaid('Nothing was changed.');
          await call('updateUser', { params: { id: String(user.id) }, body });
          await onChanged();
          setSaid(
            body.role === undefined ? 'Saved.' : 'Saved. The user must log in again, since the role has changed.',
          );
        }}
      >
        <div class="columns">
          <Field label="First name" name="first_name" defaultValue={user.first_name} autocomplete="off" />
          <Field label="Last name" name="last_name" defaultValue={user.last_name} autocomplete="off" />
        </div>
        {!isSelf && <Field label="Email" name="email" type="email" defaultValue={user.email} autocomplete="off" />}
        <SelectField label="Role" name="role" options={roles} defaultValue={user.role} />
        {!isSelf && (
          <Field
            label="New password"
            name="password"
            type="password"
            autocomplete="new-password"
            hint="Leave it empty to keep the present one. A new one ends the user’s sessions."
            isOptional
          />
        )}
      </Form>
    </Card>
  );
}

interface Changes {
  first_name?: string;
  last_name?: string;
  email?: string;
  password?: string;
  role?: Role;
}

function changesOf(user: User, values: FormValues): Changes {
  const { first_name = user.first_name, last_name = user.last_name, email = user.email, password = '' } = values;
  const role = toRole(values.role);
  return {
    ...(first_name !== user.first_name && { first_name }),
    ...(last_name !== user.last_name && { last_name }),
    ...(email !== user.email && { email }),
    ...(role !== user.role && { role }),
    ...(password !== '' && { password }),
  };
}
