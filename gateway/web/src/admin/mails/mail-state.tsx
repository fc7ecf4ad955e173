import type { MailState } from '@latchkey/contracts';
import { Badge } from '../../components/badge.js';

export const mailStates: Record<MailState, string> = {
  queued: 'waiting',
  sending: 'being sent',
  sent: 'sent',
  failed: 'refused',
  abandoned: 'given up',
};

const tones = {
  queued: 'info',
  sending: 'info',
  sent: 'success',
  failed: 'danger',
  abandoned: 'danger',
} as const;

export function MailStateBadge({ state }: { state: MailState }) {
  return <Badge tone={tones[state]}>{mailStates[state]}</Badge>;
}

export function toMailState(value: string | undefined): MailState | undefined {
  return value !== undefined && Object.hasOwn(mailStates, value) ? (value as MailState) : undefined;
}
