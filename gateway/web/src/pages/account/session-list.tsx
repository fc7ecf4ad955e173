import type { Session } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { Refusal } from '../../api/refusal.js';
import { useAction } from '../../api/use-action.js';
import type { Resource } from '../../api/use-resource.js';
import { Alert } from '../../components/alert.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Loading } from '../../components/loading.js';
import { RefusalAlert } from '../../components/refusal-alert.js';
import { Time } from '../../components/time.js';
import { deviceInWords } from './device-in-words.js';

/** Where the account is logged in. Ending the session in use is logging out, which has its own button. */
export function SessionList({ sessions }: { sessions: Resource<{ sessions: Session[] }> }) {
  const [done, setDone] = useState<string>();
  const action = useAction(async (ended: readonly Session[]) => {
    setDone(undefined);
    for (const { id } of ended) await endUnlessGone(id);
    await sessions.reload();
    setDone(ended.length === 1 ? 'The session has ended.' : `${ended.length} sessions have ended.`);
  });
  const all = sessions.value?.sessions ?? [];
  const others = all.filter(({ current }) => !current);
  return (
    <Card title="Sessions" lead="Where your account is logged in.">
      <RefusalAlert refusal={sessions.refusal ?? action.refusal} onRetry={sessions.reload} />
      {done !== undefined && (
        <Alert tone="success" takesFocus key={done}>
          <p>{done}</p>
        </Alert>
      )}
      {!sessions.value && sessions.isLoading && <Loading />}
      <ul class="items">
        {all.map((session) => (
          <li key={session.id} class="item">
            <div>
              <p class="item-title">
                {deviceInWords(session.user_agent)} {session.current && <Badge tone="success">This one</Badge>}
              </p>
              <p class="item-text">
                {session.address ?? 'Unknown address'} · last used <Time value={session.last_seen_at} />
              </p>
            </div>
            {!session.current && (
              <Button
                variant="secondary"
                size="small"
                label={`End the session of ${deviceInWords(session.user_agent)}, ${session.address ?? 'unknown address'}`}
                isBusy={action.isBusy}
                onClick={() => void action.run([session])}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <div>
          <Button variant="secondary" size="small" isBusy={action.isBusy} onClick={() => void action.run(others)}>
            End all others
          </Button>
        </div>
      )}
    </Card>
  );
}

/** One that has ended meanwhile is as ended as it should be. */
async function endUnlessGone(id: string): Promise<void> {
  try {
    await call('endOneSession', { params: { id } });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not-found') throw error;
  }
}
