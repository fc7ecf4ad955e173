import type { User } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { Badge } from '../../components/badge.js';
import { ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Field, SelectField } from '../../components/field.js';
import { Page } from '../../components/page.js';
import type { Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { usePlace } from '../../routing/navigation.js';
import { FilterForm } from '../lists/filter-form.js';
import { PagedTable } from '../lists/paged-table.js';
import { usePages } from '../lists/use-pages.js';

const columns: Column<User>[] = [
  {
    title: 'Name',
    cell: ({ id, first_name, last_name }) => <a href={`/admin/users/${id}`}>{`${first_name} ${last_name}`}</a>,
  },
  { title: 'Email', cell: ({ email }) => email },
  {
    title: 'Role',
    cell: ({ role, deletedAt }) => (
      <>
        <Badge tone={role === 'admin' ? 'info' : 'neutral'}>{role}</Badge>{' '}
        {deletedAt !== null && <Badge tone="danger">deleted</Badge>}
      </>
    ),
  },
  { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Id', cell: ({ id }) => id },
];

export function UserList() {
  const { query } = usePlace();
  const [filter, setFilter] = useState<Record<string, string>>(Object.fromEntries(query));
  const { q, deleted } = filter;
  const pages = usePages(
    async (after) => {
      const answer = await call('listUsers', {
        query: { limit: '25', after, q, deleted: deleted === 'true' ? 'true' : 'false' },
      });
      return { items: answer.users, next: answer.next === null ? null : String(answer.next) };
    },
    [q, deleted],
  );
  return (
    <Page title="Users" width="wide">
      <div class="row">
        <ButtonLink href="/admin/users/new">New user</ButtonLink>
      </div>
      <Card>
        <FilterForm label="Users" onFilter={setFilter}>
          <Field label="Email or name begins with" name="q" type="search" defaultValue={q ?? ''} isOptional />
          <SelectField
            label="Deleted users"
            name="deleted"
            options={{ '': 'Left out', true: 'Shown too' }}
            defaultValue={deleted ?? ''}
          />
        </FilterForm>
        <PagedTable
          caption="Users"
          pages={pages}
          columns={columns}
          keyOf={({ id }) => id}
          empty={q === undefined ? 'There are no users.' : `No email or name begins with “${q}”.`}
        />
      </Card>
    </Page>
  );
}
