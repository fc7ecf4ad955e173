import type { User } from '@latchkey/contracts';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/dialog.js';

export function AccountDeletion({ user, onDeleted }: { user: User; onDeleted(): void }) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(async () => {
    await call('deleteUser', { params: { id: String(user.id) } });
    onDeleted();
  });
  return (
    <Card
      title="Delete this account"
      lead="Ends every session and settles what is open. It cannot be taken back."
      tone="danger"
    >
      <div>
        <Button variant="danger" size="small" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Delete this account?"
          confirmLabel="Delete for good"
          isBusy={action.isBusy}
          refusal={action.refusal}
          onConfirm={() => void action.run()}
          onClose={() => {
            action.clear();
            setAsking(false);
          }}
        >
          <p>Nobody will be able to log in as {user.email} any more. Running subscriptions are cancelled.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
