import type { User } from '@latchkey/contracts';
import { call } from '../../api/call.js';
import { type Resource, useResource } from '../../api/use-resource.js';
import { Alert } from '../../components/alert.js';
import { Card } from '../../components/card.js';
import { Time } from '../../components/time.js';
import { usePlace } from '../../routing/navigation.js';
import { Detail } from '../lists/detail.js';
import { Facts } from '../lists/facts.js';
import { EditUser } from './edit-user.js';
import { NewUser } from './new-user.js';
import { UserActions } from './user-actions.js';
import { UserDeletion } from './user-deletion.js';

const made: Readonly<Record<string, string>> = {
  created: 'The user is created and can log in.',
  invited: 'The user is created, and an invitation is on its way.',
};

export function UserPage({ id, ownId }: { id: string; ownId: number }) {
  return id === 'new' ? <NewUser /> : <ExistingUser id={id} ownId={ownId} />;
}

function ExistingUser({ id, ownId }: { id: string; ownId: number }) {
  const { query } = usePlace();
  const resource = useResource(async () => {
    const { user } = await call('showUser', { params: { id }, query: { deleted: 'true' } });
    return user;
  }, [id]);
  const note = made[query.get('made') ?? ''];
  return (
    <Detail
      kind="User"
      list={{ title: 'users', href: '/admin/users' }}
      resource={resource}
      titleOf={({ first_name, last_name }) => `${first_name} ${last_name}`}
    >
      {(user) => (
        <>
          {note !== undefined && (
            <Alert tone="success">
              <p>{note}</p>
            </Alert>
          )}
          <UserCards user={user} isSelf={user.id === ownId} reload={resource.reload} />
        </>
      )}
    </Detail>
  );
}

function UserCards({ user, isSelf, reload }: { user: User; isSelf: boolean; reload: Resource<User>['reload'] }) {
  const facts = {
    Id: user.id,
    Email: user.email,
    Role: user.role,
    'Payment customer': user.payment_customer_id,
    Created: <Time value={user.createdAt} />,
    Changed: <Time value={user.updatedAt} />,
    Deleted: user.deletedAt && <Time value={user.deletedAt} />,
  };
  return (
    <>
      <Card title="Record">
        <Facts facts={facts} />
      </Card>
      {user.deletedAt === null && (
        <>
          <EditUser user={user} isSelf={isSelf} onChanged={reload} />
          <UserActions user={user} isSelf={isSelf} />
          <UserDeletion user={user} isSelf={isSelf} onDeleted={reload} />
        </>
      )}
    </>
  );
}
