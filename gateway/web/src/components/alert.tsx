import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * `danger` is a refusal and interrupts a screen reader (`role="alert"`); the others are read when it is idle (`role="status"`). `takesFocus`: where what was in use has gone, such as a form that is done.
 */
export function Alert(props: {
  tone: 'danger' | 'success' | 'info' | 'warning';
  children: ComponentChildren;
  id?: string;
  takesFocus?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (props.takesFocus) box.current?.focus();
  }, [props.takesFocus]);
  return (
    <div
      ref={box}
      id={props.id}
      class={`alert alert-${props.tone}`}
      role={props.tone === 'danger' ? 'alert' : 'status'}
      tabIndex={-1}
    >
      <span class="alert-icon" aria-hidden="true" />
      <div class="alert-text">{props.children}</div>
    </div>
  );
}
