import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { Card } from '../../components/card.js';
import { Field, SelectField } from '../../components/field.js';
import { Page } from '../../components/page.js';
import { usePlace } from '../../routing/navigation.js';
import { FilterForm } from '../lists/filter-form.js';
import { PagedTable } from '../lists/paged-table.js';
import { usePages } from '../lists/use-pages.js';
import { mailColumns } from './mail-columns.js';
import { mailStates, toMailState } from './mail-state.js';

export function MailList() {
  const { query } = usePlace();
  const [filter, setFilter] = useState<Record<string, string>>(Object.fromEntries(query));
  const { request_id } = filter;
  const state = toMailState(filter.state);
  const pages = usePages(
    async (after) => {
      const { mails, next } = await call('listMails', { query: { limit: '25', after, request_id, state } });
      return { items: mails, next };
    },
    [request_id, state],
  );
  return (
    <Page title="Mails" width="wide" lead="What was asked to be sent, and what the mail server said.">
      <Card>
        <FilterForm label="Mails" onFilter={setFilter}>
          <Field label="Request id" name="request_id" type="search" defaultValue={request_id ?? ''} isOptional />
          <SelectField label="State" name="state" options={{ '': 'All', ...mailStates }} defaultValue={state ?? ''} />
        </FilterForm>
        <PagedTable
          caption="Mails, newest first"
          pages={pages}
          columns={mailColumns}
          keyOf={({ id }) => id}
          empty="There are no such mails."
        />
      </Card>
    </Page>
  );
}
