import { useState } from 'preact/hooks';
import { useAction } from '../../api/use-action.js';
import { Alert } from '../../components/alert.js';
import { Button } from '../../components/button.js';
import { RefusalAlert } from '../../components/refusal-alert.js';

/** A button that does something again and says how that went; `onDone` shows what has become of it. */
export function Replay(props: { label: string; perform(): Promise<{ message: string }>; onDone(): Promise<unknown> }) {
  const [said, setSaid] = useState<string>();
  const action = useAction(async () => {
    setSaid(undefined);
    const { message } = await props.perform();
    await props.onDone();
    setSaid(message);
  });
  return (
    <>
      <RefusalAlert refusal={action.refusal} />
      {said !== undefined && (
        <Alert tone="success">
          <p>{/[.!?]$/.test(said) ? said : `${said}.`}</p>
        </Alert>
      )}
      <div class="row">
        <Button variant="secondary" isBusy={action.isBusy} onClick={action.run}>
          {props.label}
        </Button>
      </div>
    </>
  );
}
