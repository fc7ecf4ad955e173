import type { Refusal } from '../api/refusal.js';
import { refusalInWords } from '../api/words.js';
import { Alert } from './alert.js';
import { Button } from './button.js';

/** A refusal in words, or nothing. `onRetry` offers to ask again where that may help. */
export function RefusalAlert(props: { refusal: Refusal | undefined; id?: string; onRetry?(): void }) {
  if (!props.refusal) return null;
  return (
    <Alert tone="danger" {...(props.id !== undefined && { id: props.id })}>
      {refusalInWords(props.refusal).map((words) => (
        <p key={words}>{words}</p>
      ))}
      {props.onRetry && props.refusal.isPassing && (
        <Button variant="secondary" size="small" onClick={props.onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
