import { kept } from './kept.js';

const units = [
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

const unitFormat = kept(
  (language, unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }),
);
const momentFormat = kept(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
);

/** A length of time in its largest whole unit: "30 minutes", "7 days". */
export function lifetimeInWords(seconds: number, language: string): string {
  const rounded = Math.max(1, Math.round(seconds));
  // A little less than a whole unit counts as one: the clock ran on between the request and its event.
  const [unit, length] = units.find(([, size]) => rounded >= size && isNearlyWhole(rounded / size)) ?? ['minute', 60];
  const count = Math.max(1, Math.round(rounded / length));
  return unitFormat(language, unit).format(count);
}

function isNearlyWhole(count: number): boolean {
  return Math.abs(count - Math.round(count)) < 0.02;
}

/** A moment for people, in UTC because nobody knows where its reader is. */
export function momentInWords(iso: string, language: string): string {
  return `${momentFormat(language).format(new Date(iso))} UTC`;
}
