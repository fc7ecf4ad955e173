import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { Card } from '../../components/card.js';
import { Field, SelectField } from '../../components/field.js';
import { Page } from '../../components/page.js';
import { usePlace } from '../../routing/navigation.js';
import { FilterForm } from '../lists/filter-form.js';
import { PagedTable } from '../lists/paged-table.js';
import { usePages } from '../lists/use-pages.js';
import { eventColumns } from './event-columns.js';
import { eventStates, toEventState } from './event-state.js';

export function EventList() {
  const { query } = usePlace();
  const [filter, setFilter] = useState<Record<string, string>>(Object.fromEntries(query));
  const { request_id } = filter;
  const state = toEventState(filter.state);
  const pages = usePages(
    async (after) => {
      const answer = await call('listWebhookEvents', { query: { limit: '25', after, request_id, state } });
      return { items: answer.webhook_events, next: answer.next };
    },
    [request_id, state],
  );
  return (
    <Page title="Webhook events" width="wide" lead="What the payment provider told us, and what became of it.">
      <Card>
        <FilterForm label="Webhook events" onFilter={setFilter}>
          <Field label="Request id" name="request_id" type="search" defaultValue={request_id ?? ''} isOptional />
          <SelectField label="State" name="state" options={{ '': 'All', ...eventStates }} defaultValue={state ?? ''} />
        </FilterForm>
        <PagedTable
          caption="Webhook events, newest first"
          pages={pages}
          columns={eventColumns}
          keyOf={({ id }) => id}
          empty="There are no such events."
        />
      </Card>
    </Page>
  );
}
