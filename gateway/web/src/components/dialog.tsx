import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Refusal } from '../api/refusal.js';
import { Button } from './button.js';
import { RefusalAlert } from './refusal-alert.js';

/** A modal dialog: the browser keeps the focus inside, closes it with Escape and gives the focus back to what opened it. */
export function Dialog(props: { title: string; onClose(): void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

/** Asks before something that cannot be taken back. The focus begins on the harmless button. */
export function ConfirmDialog(props: {
  title: string;
  children: ComponentChildren;
  confirmLabel: string;
  isBusy: boolean;
  refusal: Refusal | undefined;
  onConfirm(): void;
  onClose(): void;
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <RefusalAlert refusal={props.refusal} />
      <div class="dialog-text">{props.children}</div>
      <div class="dialog-actions">
        <Button variant="secondary" onClick={props.onClose}>
          Cancel
        </Button>
        <Button variant="danger" isBusy={props.isBusy} onClick={props.onConfirm}>
          {props.confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
