import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A surface; with a title it is a named section. `danger` marks what cannot be taken back. */
export function Card(props: {
  title?: string;
  lead?: ComponentChildren;
  tone?: 'danger';
  children: ComponentChildren;
}) {
  const id = useId();
  const name = props.tone === 'danger' ? 'card card-danger' : 'card';
  if (props.title === undefined) return <div class={name}>{props.children}</div>;
  return (
    <section class={name} aria-labelledby={id}>
      <div class="card-heading">
        <h2 id={id}>{props.title}</h2>
        {props.lead && <p>{props.lead}</p>}
      </div>
      {props.children}
    </section>
  );
}
