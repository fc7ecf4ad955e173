import { call } from '../../api/call.js';
import { Card } from '../../components/card.js';
import { Field, SelectField } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { Page } from '../../components/page.js';
import { navigate } from '../../routing/navigation.js';
import { settings } from '../../settings.js';
import { roles, toRole } from './roles.js';

/** Creates a user with a password, or invites one to choose it. */
export function NewUser() {
  return (
    <Page title="New user" width="medium" lead={<a href="/admin/users">All users</a>}>
      <Card>
        <Form
          submitLabel="Create user"
          isWide={false}
          onSubmit={async ({ email = '', first_name = '', last_name = '', password = '', role }) => {
            const body = { email, first_name, last_name, role: toRole(role), ...(password !== '' && { password }) };
            const { user } = await call('createUser', { body });
            navigate(`/admin/users/${user.id}?made=${password === '' ? 'invited' : 'created'}`, { replace: true });
          }}
        >
          <Field label="Email" name="email" type="email" autocomplete="off" />
          <div class="columns">
            <Field label="First name" name="first_name" autocomplete="off" />
            <Field label="Last name" name="last_name" autocomplete="off" />
          </div>
          <SelectField label="Role" name="role" options={roles} defaultValue="member" />
          <Field
            label="Password"
            name="password"
            type="password"
            autocomplete="new-password"
            hint={`Leave it empty to mail an invitation with which the user chooses one. Else at least ${settings.passwordMinLength} characters.`}
            isOptional
          />
        </Form>
      </Card>
    </Page>
  );
}
