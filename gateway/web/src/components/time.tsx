const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the reader's language and time zone; `value` is ISO 8601. */
export function Time({ value }: { value: string }) {
  return <time dateTime={value}>{format.format(new Date(value))}</time>;
}
