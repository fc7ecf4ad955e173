import './admin.css';
import type { ComponentType } from 'preact';
import { call } from '../api/call.js';
import { useResource } from '../api/use-resource.js';
import type { PageProps } from '../app.js';
import { ButtonLink } from '../components/button.js';
import { Loading } from '../components/loading.js';
import { Page } from '../components/page.js';
import { RefusalAlert } from '../components/refusal-alert.js';
import { NotFound } from '../pages/not-found.js';
import { AdminNav } from './admin-nav.js';
import { DeadLetterPage } from './dead-letters/dead-letter.js';
import { DeadLetterList } from './dead-letters/dead-letters.js';
import { EventPage } from './events/event.js';
import { EventList } from './events/events.js';
import { MailPage } from './mails/mail.js';
import { MailList } from './mails/mails.js';
import { RequestPage } from './requests/request.js';
import { ServiceList } from './services/services.js';
import { UserPage } from './users/user.js';
import { UserList } from './users/users.js';

/** A section's list, and its page of one thing. `ownId`: of the admin who looks. */
interface Section {
  readonly list: ComponentType<{ ownId: number }>;
  readonly one?: ComponentType<{ id: string; ownId: number }>;
}

const sections: Readonly<Record<string, Section>> = {
  services: { list: ServiceList },
  users: { list: UserList, one: UserPage },
  mails: { list: MailList, one: MailPage },
  'webhook-events': { list: EventList, one: EventPage },
  'dead-letters': { list: DeadLetterList, one: DeadLetterPage },
  requests: { list: () => <RequestPage />, one: RequestPage },
};

/** The administration: `/admin`, `/admin/:section`, `/admin/:section/:id`. A chunk of its own, which nobody else loads. The API refuses all of it to others by itself. */
export default function Admin({ params: { section: name = 'services', id } }: PageProps) {
  const session = useResource(() => call('showSession', {}));
  const user = session.value?.user;
  if (!user)
    return (
      <Page title="Administration" width="wide">
        <RefusalAlert refusal={session.refusal} onRetry={session.reload} />
        {session.isLoading && <Loading />}
      </Page>
    );
  if (user.role !== 'admin') return <NotForYou email={user.email} />;

  const section = Object.hasOwn(sections, name) ? sections[name] : undefined;
  const One = section?.one;
  if (section === undefined || (id !== undefined && One === undefined)) return <NotFound />;
  const List = section.list;
  return (
    <div class="admin">
      <AdminNav current={name} />
      {id !== undefined && One ? (
        <One key={`${name}/${id}`} id={id} ownId={user.id} />
      ) : (
        <List key={name} ownId={user.id} />
      )}
    </div>
  );
}

function NotForYou({ email }: { email: string }) {
  return (
    <Page title="For administrators only" lead={<>You are logged in as {email}, who is not an administrator.</>}>
      <p>Ask an administrator to give your account the role, then log in again.</p>
      <ButtonLink href="/account" variant="secondary">
        To your account
      </ButtonLink>
    </Page>
  );
}
