/** `seconds` as a person would say it, rounded up so that who waits that long is let in. */
export function waitInWords(seconds: number | undefined): string {
  if (seconds === undefined) return 'Please try again in a moment.';
  if (seconds < 60) return `Please try again in ${count(Math.max(1, Math.ceil(seconds)), 'second')}.`;
  if (seconds < 5400) return `Please try again in ${count(Math.ceil(seconds / 60), 'minute')}.`;
  return `Please try again in ${count(Math.ceil(seconds / 3600), 'hour')}.`;
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`;
