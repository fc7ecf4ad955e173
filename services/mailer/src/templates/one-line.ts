// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const breaks = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** A value as one line: names and addresses cannot add a header or a line of their own (S61). */
export function oneLine(value: string): string {
  return value.replace(breaks, ' ').trim();
}
