import type { WebhookEvent } from '@latchkey/contracts';
import type { Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { EventStateBadge } from './event-state.js';

/** An event in a list. */
export const eventColumns: Column<WebhookEvent>[] = [
  {
    title: 'Event',
    cell: ({ id }) => (
      <a class="mono" href={`/admin/webhook-events/${encodeURIComponent(id)}`}>
        {id}
      </a>
    ),
  },
  { title: 'Kind', cell: ({ type }) => type },
  { title: 'State', cell: ({ state }) => <EventStateBadge state={state} /> },
  { title: 'Attempts', cell: ({ attempts }) => attempts },
  { title: 'Received', cell: ({ received_at }) => <Time value={received_at} /> },
];
