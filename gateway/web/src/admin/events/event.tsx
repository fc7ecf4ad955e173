import { call } from '../../api/call.js';
import { useResource } from '../../api/use-resource.js';
import { Card } from '../../components/card.js';
import { Time } from '../../components/time.js';
import { Detail } from '../lists/detail.js';
import { Facts } from '../lists/facts.js';
import { RequestLink } from '../lists/links.js';
import { Replay } from '../lists/replay.js';
import { EventStateBadge } from './event-state.js';

/** One event of the payment provider, with the error of its last attempt, and a button to apply it again. */
export function EventPage({ id }: { id: string }) {
  const resource = useResource(async () => (await call('showWebhookEvent', { params: { id } })).webhook_event, [id]);
  return (
    <Detail
      kind="Webhook event"
      list={{ title: 'webhook events', href: '/admin/webhook-events' }}
      resource={resource}
      titleOf={({ type }) => type}
    >
      {(event) => (
        <>
          <Card title="Event">
            <Facts
              facts={{
                State: <EventStateBadge state={event.state} />,
                Id: <span class="mono">{event.id}</span>,
                'It is about': event.object_id && <span class="mono">{event.object_id}</span>,
                'Came from': event.source === 'webhook' ? `${event.provider}’s webhook` : 'asking the provider',
                Attempts: event.attempts,
                'Last error': event.last_error,
                Replays: event.replays,
                Made: <Time value={event.created_at} />,
                Received: <Time value={event.received_at} />,
                Applied: event.applied_at && <Time value={event.applied_at} />,
                Request: <RequestLink id={event.request_id} />,
              }}
            />
          </Card>
          <Card
            title="Apply again"
            lead="The provider is asked for the present state of what it is about, so that this can do no harm."
          >
            <Replay
              label="Apply again"
              perform={() => call('replayWebhookEvent', { params: { id: event.id } })}
              onDone={resource.reload}
            />
          </Card>
        </>
      )}
    </Detail>
  );
}
