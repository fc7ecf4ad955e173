import { call } from '../../api/call.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { RefusalAlert } from '../../components/refusal-alert.js';
import { navigate } from '../../routing/navigation.js';

export function LogOut() {
  const action = useAction(async () => {
    await call('endSession', {});
    navigate('/login', { replace: true });
  });
  return (
    <>
      <RefusalAlert refusal={action.refusal} />
      <Button variant="secondary" size="small" isBusy={action.isBusy} onClick={() => void action.run()}>
        Log out
      </Button>
    </>
  );
}
