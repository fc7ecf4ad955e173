const units = [
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time in its largest whole unit: "30 minutes", "7 days". */
export function lifetimeInWords(seconds: number, language: string): string {
  const rounded = Math.max(1, Math.round(seconds));
  // A little less than a whole unit counts as one: the clock ran on between the request and its event.
  const [unit, length] = units.find(([, size]) => rounded >= size && isNearlyWhole(rounded / size)) ?? ['minute', 60];
  const count = Math.max(1, Math.round(rounded / length));
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

function isNearlyWhole(count: number): boolean {
  return Math.abs(count - Math.round(count)) < 0.02;
}

/** A moment for people, in UTC because nobody knows where its reader is. */
export function momentInWords(iso: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(iso))} UTC`;
}
