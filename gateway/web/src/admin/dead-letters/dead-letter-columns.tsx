import type { DeadLetter } from '@latchkey/contracts';
import { Badge } from '../../components/badge.js';
import type { Column } from '../../components/table.js';
import { Time } from '../../components/time.js';

export function DeadLetterState({ letter }: { letter: DeadLetter }) {
  return letter.replayed_at === null ? <Badge tone="danger">open</Badge> : <Badge tone="neutral">replayed</Badge>;
}

/** A dead letter in a list, with why it died. */
export const deadLetterColumns: Column<DeadLetter>[] = [
  {
    title: 'Queue',
    cell: ({ id, queue }) => <a href={`/admin/dead-letters/${encodeURIComponent(id)}`}>{queue}</a>,
  },
  { title: 'Event', cell: ({ event }) => event ?? 'unreadable' },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'State', cell: (letter) => <DeadLetterState letter={letter} /> },
  { title: 'Died', cell: ({ died_at }) => <Time value={died_at} /> },
];
