import type { Mail } from '@latchkey/contracts';
import { call } from '../../api/call.js';
import { useResource } from '../../api/use-resource.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { type Column, Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { Detail } from '../lists/detail.js';
import { Facts } from '../lists/facts.js';
import { RequestLink, UserLink } from '../lists/links.js';
import { Replay } from '../lists/replay.js';
import { MailStateBadge } from './mail-state.js';

type Attempt = Mail['attempts'][number];

const outcomes = {
  accepted: <Badge tone="success">accepted</Badge>,
  'temporary-failure': <Badge tone="warning">try again later</Badge>,
  'permanent-failure': <Badge tone="danger">refused</Badge>,
};

const columns: Column<Attempt>[] = [
  { title: 'When', cell: ({ at }) => <Time value={at} /> },
  { title: 'Outcome', cell: ({ outcome }) => outcomes[outcome] },
  { title: 'Code', cell: ({ code }) => code ?? 'none' },
  { title: 'The server’s answer', cell: ({ response }) => <span class="mono">{response}</span> },
];

/** One mail: every attempt with the server's answer, and a button to send it again. */
export function MailPage({ id }: { id: string }) {
  const resource = useResource(async () => (await call('showMail', { params: { id } })).mail, [id]);
  return (
    <Detail
      kind="Mail"
      list={{ title: 'mails', href: '/admin/mails' }}
      resource={resource}
      titleOf={({ subject }) => subject}
    >
      {(mail) => (
        <>
          <Card title="Mail">
            <Facts facts={factsOf(mail)} />
          </Card>
          <Card title="Attempts">
            <Table
              caption="Attempts to hand the mail to the server, oldest first"
              columns={columns}
              rows={mail.attempts}
              keyOf={({ at }) => at}
              empty="None yet."
            />
            {mail.next_attempt_at !== null && (
              <div class="row">
                <Button variant="secondary" size="small" isBusy={resource.isLoading} onClick={resource.reload}>
                  Look again
                </Button>
              </div>
            )}
          </Card>
          <Card
            title="Send again"
            lead="The user gets another mail; where it carries a link, with a fresh one. It appears as a mail of its own."
          >
            <Replay
              label="Send again"
              perform={() => call('replayMail', { params: { id: mail.id } })}
              onDone={resource.reload}
            />
          </Card>
        </>
      )}
    </Detail>
  );
}

function factsOf(mail: Mail) {
  return {
    State: <MailStateBadge state={mail.state} />,
    To: mail.to,
    User: <UserLink id={mail.user_id} />,
    Kind: mail.template,
    'Asked for': <Time value={mail.created_at} />,
    Sent: mail.sent_at && <Time value={mail.sent_at} />,
    'Next attempt': mail.next_attempt_at && <Time value={mail.next_attempt_at} />,
    'Given up at': mail.sent_at === null && mail.not_after && <Time value={mail.not_after} />,
    'Message id': <span class="mono">{mail.message_id}</span>,
    Request: <RequestLink id={mail.request_id} />,
    'Again of': mail.replay_of && (
      <a class="mono" href={`/admin/mails/${encodeURIComponent(mail.replay_of)}`}>
        {mail.replay_of}
      </a>
    ),
  };
}
