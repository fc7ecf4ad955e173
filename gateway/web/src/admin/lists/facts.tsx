import type { ComponentChildren } from 'preact';

/** Names and values; a value that is not there is left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ComponentChildren>> }) {
  const present = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== false);
  return (
    <dl class="facts">
      {present.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
