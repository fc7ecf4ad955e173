import type { ComponentChildren } from 'preact';

/** A state in a word; the colour only repeats it. */
export function Badge(props: {
  tone: 'neutral' | 'success' | 'danger' | 'warning' | 'info';
  children: ComponentChildren;
}) {
  return <span class={`badge badge-${props.tone}`}>{props.children}</span>;
}
