import { call } from '../../api/call.js';
import { Card } from '../../components/card.js';
import { Field } from '../../components/field.js';
import { Form } from '../../components/form.js';
import { Page } from '../../components/page.js';
import type { Column } from '../../components/table.js';
import { navigate } from '../../routing/navigation.js';
import { deadLetterColumns } from '../dead-letters/dead-letter-columns.js';
import { eventColumns } from '../events/event-columns.js';
import { PagedTable } from '../lists/paged-table.js';
import { type PageOf, usePages } from '../lists/use-pages.js';
import { mailColumns } from '../mails/mail-columns.js';

/** Follows one request by its id (`X-Request-Id`, `request_id` of a problem) to all that it led to: from a reset to the mail server's answer. */
export function RequestPage({ id }: { id?: string }) {
  return (
    <Page
      title={id === undefined ? 'Follow a request' : 'What a request led to'}
      width="wide"
      lead="Every answer has an id in its header X-Request-Id. What it led to keeps that id."
    >
      <Card>
        <Form
          key={id}
          submitLabel="Follow"
          variant="secondary"
          isWide={false}
          onSubmit={async ({ request_id = '' }) => navigate(`/admin/requests/${encodeURIComponent(request_id.trim())}`)}
        >
          <Field label="Request id" name="request_id" type="search" defaultValue={id ?? ''} />
        </Form>
      </Card>
      {id !== undefined && <Outcome id={id} />}
    </Page>
  );
}

function Outcome({ id }: { id: string }) {
  return (
    <>
      <Led
        title="Mails"
        columns={mailColumns}
        load={async (after) => {
          const { mails, next } = await call('listMails', { query: { after, request_id: id } });
          return { items: mails, next };
        }}
      />
      <Led
        title="Webhook events"
        columns={eventColumns}
        load={async (after) => {
          const answer = await call('listWebhookEvents', { query: { after, request_id: id } });
          return { items: answer.webhook_events, next: answer.next };
        }}
      />
      <Led
        title="Dead letters"
        columns={deadLetterColumns}
        load={async (after) => {
          const answer = await call('listDeadLetters', { query: { after, request_id: id } });
          return { items: answer.dead_letters, next: answer.next };
        }}
      />
    </>
  );
}

function Led<Row extends { id: string }>(props: {
  title: string;
  columns: readonly Column<Row>[];
  load(after: string | undefined): Promise<PageOf<Row>>;
}) {
  return (
    <Card title={props.title}>
      <PagedTable
        caption={props.title}
        pages={usePages(props.load)}
        columns={props.columns}
        keyOf={({ id }) => id}
        empty="None."
      />
    </Card>
  );
}
