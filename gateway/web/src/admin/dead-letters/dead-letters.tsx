import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { Card } from '../../components/card.js';
import { Field } from '../../components/field.js';
import { Page } from '../../components/page.js';
import { usePlace } from '../../routing/navigation.js';
import { FilterForm } from '../lists/filter-form.js';
import { PagedTable } from '../lists/paged-table.js';
import { usePages } from '../lists/use-pages.js';
import { deadLetterColumns } from './dead-letter-columns.js';

export function DeadLetterList() {
  const { query } = usePlace();
  const [filter, setFilter] = useState<Record<string, string>>(Object.fromEntries(query));
  const { request_id } = filter;
  const pages = usePages(
    async (after) => {
      const answer = await call('listDeadLetters', { query: { limit: '25', after, request_id } });
      return { items: answer.dead_letters, next: answer.next };
    },
    [request_id],
  );
  return (
    <Page title="Dead letters" width="wide" lead="Messages that no service could handle, and why.">
      <Card>
        <FilterForm label="Dead letters" onFilter={setFilter}>
          <Field label="Request id" name="request_id" type="search" defaultValue={request_id ?? ''} isOptional />
        </FilterForm>
        <PagedTable
          caption="Dead letters of all services, newest first"
          pages={pages}
          columns={deadLetterColumns}
          keyOf={({ id }) => id}
          empty="There are none, which is good."
        />
      </Card>
    </Page>
  );
}
