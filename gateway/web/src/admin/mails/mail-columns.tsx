import type { Mail } from '@latchkey/contracts';
import type { Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { MailStateBadge } from './mail-state.js';

/** A mail in a list, with what the mail server said last. */
export const mailColumns: Column<Mail>[] = [
  { title: 'Subject', cell: ({ id, subject }) => <a href={`/admin/mails/${encodeURIComponent(id)}`}>{subject}</a> },
  { title: 'To', cell: ({ to }) => to },
  { title: 'State', cell: ({ state }) => <MailStateBadge state={state} /> },
  { title: 'Last answer', cell: ({ attempts }) => attempts.at(-1)?.response ?? 'not tried yet' },
  { title: 'Asked for', cell: ({ created_at }) => <Time value={created_at} /> },
];
