import type { User } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { useAction } from '../../api/use-action.js';
import { Alert } from '../../components/alert.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { RefusalAlert } from '../../components/refusal-alert.js';

/** Invite again, and log out everywhere. */
export function UserActions({ user, isSelf }: { user: User; isSelf: boolean }) {
  const [said, setSaid] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const params = { id: String(user.id) };
  const invite = useAction(async () => {
    setSaid(undefined);
    setSaid((await call('inviteUser', { params })).message);
  });
  const end = useAction(async () => {
    setSaid(undefined);
    const { message } = await call('endUserSessions', { params });
    setAsking(false);
    setSaid(message);
  });
  return (
    <Card title="Access" lead="An invitation is for a user who has not chosen a password yet.">
      <RefusalAlert refusal={invite.refusal} />
      {said !== undefined && (
        <Alert tone="success">
          <p>{said}</p>
        </Alert>
      )}
      <div class="row">
        <Button variant="secondary" isBusy={invite.isBusy} onClick={invite.run}>
          Send invitation
        </Button>
        <Button variant="secondary" onClick={() => setAsking(true)}>
          End all sessions
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`End all sessions of ${user.first_name} ${user.last_name}?`}
          confirmLabel="End sessions"
          isBusy={end.isBusy}
          refusal={end.refusal}
          onConfirm={end.run}
          onClose={() => setAsking(false)}
        >
          <p>{isSelf ? 'You are logged out too.' : 'The user is logged out on every device and must log in again.'}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
