import { escapeHtml } from '@latchkey/kit';

/** Text that is html already. Only `html` makes it. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = Markup | string | number | readonly Value[];

/** Html with every value escaped, unless it was made by `html` itself. Attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.map((part, at) => part + (at < values.length ? render(values[at] as Value) : '')).join(''));
}

function render(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}
