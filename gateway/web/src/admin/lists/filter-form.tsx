import type { ComponentChildren } from 'preact';
import { Button } from '../../components/button.js';

/** Narrows a list. What was chosen stands in the address too, so that it can be sent to somebody; the focus stays where it is. */
export function FilterForm(props: {
  label: string;
  children: ComponentChildren;
  onFilter(values: Record<string, string>): void;
}) {
  return (
    <search aria-label={props.label}>
      <form
        class="filters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
          const given = entries.filter(([, value]) => value !== '');
          const query = new URLSearchParams(given as [string, string][]).toString();
          history.replaceState(null, '', query === '' ? location.pathname : `${location.pathname}?${query}`);
          props.onFilter(Object.fromEntries(given));
        }}
      >
        {props.children}
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </form>
    </search>
  );
}
