import type { User } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/dialog.js';

export function UserDeletion(props: { user: User; isSelf: boolean; onDeleted(): Promise<unknown> }) {
  const { user, isSelf } = props;
  const [isAsking, setAsking] = useState(false);
  const removal = useAction(async () => {
    await call('deleteUser', { params: { id: String(user.id) } });
    setAsking(false);
    await props.onDeleted();
  });
  return (
    <Card
      title="Delete"
      tone="danger"
      lead="The record stays and can be looked at; nobody can log in with it any more."
    >
      <div class="row">
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete user
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${user.first_name} ${user.last_name}?`}
          confirmLabel="Delete"
          isBusy={removal.isBusy}
          refusal={removal.refusal}
          onConfirm={removal.run}
          onClose={() => setAsking(false)}
        >
          <p>
            {isSelf ? 'This is your own account: you are logged out at once.' : `${user.email} is logged out at once.`}{' '}
            This cannot be taken back.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
