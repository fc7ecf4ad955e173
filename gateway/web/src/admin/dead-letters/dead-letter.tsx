import { call } from '../../api/call.js';
import { useResource } from '../../api/use-resource.js';
import { Card } from '../../components/card.js';
import { Time } from '../../components/time.js';
import { Detail } from '../lists/detail.js';
import { Facts } from '../lists/facts.js';
import { RequestLink } from '../lists/links.js';
import { Replay } from '../lists/replay.js';
import { DeadLetterState } from './dead-letter-columns.js';

/** One message that could not be handled: why, and a button to put it back into its queue. */
export function DeadLetterPage({ id }: { id: string }) {
  const resource = useResource(async () => (await call('showDeadLetter', { params: { id } })).dead_letter, [id]);
  return (
    <Detail
      kind="Dead letter"
      list={{ title: 'dead letters', href: '/admin/dead-letters' }}
      resource={resource}
      titleOf={({ queue }) => queue}
    >
      {(letter) => (
        <>
          <Card title="Message">
            <Facts
              facts={{
                State: <DeadLetterState letter={letter} />,
                Reason: letter.reason,
                Service: letter.service,
                Event: letter.event ?? 'unreadable',
                Id: <span class="mono">{letter.id}</span>,
                Attempts: letter.attempts,
                Died: <Time value={letter.died_at} />,
                Replayed: letter.replayed_at && <Time value={letter.replayed_at} />,
                Request: <RequestLink id={letter.request_id} />,
              }}
            />
          </Card>
          <Card
            title="Handle again"
            lead="Mend the cause first: a message that cannot be handled again comes back here."
          >
            <Replay
              label="Handle again"
              perform={() => call('replayDeadLetter', { params: { id: letter.id } })}
              onDone={resource.reload}
            />
          </Card>
        </>
      )}
    </Detail>
  );
}
