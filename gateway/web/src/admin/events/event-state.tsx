import type { WebhookEventState } from '@latchkey/contracts';
import { Badge } from '../../components/badge.js';

export const eventStates: Record<WebhookEventState, string> = {
  received: 'received',
  applied: 'applied',
  ignored: 'ignored',
  failing: 'failing',
};

const tones = { received: 'info', applied: 'success', ignored: 'neutral', failing: 'danger' } as const;

export function EventStateBadge({ state }: { state: WebhookEventState }) {
  return <Badge tone={tones[state]}>{eventStates[state]}</Badge>;
}

export function toEventState(value: string | undefined): WebhookEventState | undefined {
  return value !== undefined && Object.hasOwn(eventStates, value) ? (value as WebhookEventState) : undefined;
}
