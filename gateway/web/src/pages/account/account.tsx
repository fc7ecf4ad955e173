import type { User } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { useResource } from '../../api/use-resource.js';
import { Alert } from '../../components/alert.js';
import { ButtonLink } from '../../components/button.js';
import { Loading } from '../../components/loading.js';
import { Page } from '../../components/page.js';
import { RefusalAlert } from '../../components/refusal-alert.js';
import { AccountDeletion } from './account-deletion.js';
import { EmailForm } from './email-form.js';
import { LogOut } from './log-out.js';
import { NameForm } from './name-form.js';
import { PasswordForm } from './password-form.js';
import { SessionList } from './session-list.js';

export function AccountPage() {
  const session = useResource(() => call('showSession', {}));
  const sessions = useResource(() => call('listSessions', {}));
  const [changed, setChanged] = useState<User>();
  const [isDeleted, setDeleted] = useState(false);
  const user = changed ?? session.value?.user;

  if (isDeleted) return <Deleted />;
  if (!user)
    return (
      <Page title="Your account" width="medium">
        <RefusalAlert refusal={session.refusal} onRetry={session.reload} />
        {session.isLoading && <Loading />}
      </Page>
    );
  return (
    <Page
      title="Your account"
      width="medium"
      actions={
        <>
          {user.role === 'admin' && (
            <ButtonLink href="/admin" variant="secondary" size="small">
              Administration
            </ButtonLink>
          )}
          <LogOut />
        </>
      }
      lead={
        <>
          You are logged in as <strong>{`${user.first_name} ${user.last_name}`}</strong>, {user.email}.
        </>
      }
    >
      <NameForm user={user} onChanged={setChanged} />
      <EmailForm user={user} onChanged={setChanged} />
      <PasswordForm user={user} onChanged={sessions.reload} />
      <SessionList sessions={sessions} />
      <AccountDeletion user={user} onDeleted={() => setDeleted(true)} />
    </Page>
  );
}

function Deleted() {
  return (
    <Page title="Your account is deleted">
      <Alert tone="success" takesFocus>
        <p>All your sessions have ended, and nobody can log in with it any more.</p>
      </Alert>
      <ButtonLink href="/pricing" variant="secondary">
        See what is for sale
      </ButtonLink>
    </Page>
  );
}
