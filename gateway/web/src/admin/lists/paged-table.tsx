import type { ComponentChildren } from 'preact';
import { Button } from '../../components/button.js';
import { Loading } from '../../components/loading.js';
import { RefusalAlert } from '../../components/refusal-alert.js';
import { type Column, Table } from '../../components/table.js';
import type { Pages } from './use-pages.js';

/** A list with all that it can be: loading, refused, empty, a page of many. */
export function PagedTable<Row>(props: {
  caption: string;
  pages: Pages<Row>;
  columns: readonly Column<Row>[];
  keyOf(row: Row): string | number;
  empty: ComponentChildren;
}) {
  const { first, items, hasMore, more } = props.pages;
  if (first.value === undefined)
    return (
      <>
        <RefusalAlert refusal={first.refusal} onRetry={first.reload} />
        {first.isLoading && <Loading />}
      </>
    );
  return (
    <>
      <Table caption={props.caption} columns={props.columns} rows={items} keyOf={props.keyOf} empty={props.empty} />
      <RefusalAlert refusal={more.refusal} />
      {items.length > 0 && (
        <div class="list-end">
          <p role="status">
            {items.length} shown{hasMore ? '' : ', which is all'}
          </p>
          {hasMore && (
            <Button variant="secondary" size="small" isBusy={more.isBusy} onClick={more.run}>
              Show more
            </Button>
          )}
        </div>
      )}
    </>
  );
}
