/** Some 49 000 passwords found most often in breaches, lower case, 18 000 of them of 8 or more characters (S06 asks for 3000). */
let passwords: ReadonlySet<string> | undefined;

/** Read when the first password is judged: it takes a start some time and memory. */
function listed(): ReadonlySet<string> {
  if (passwords === undefined) {
    const { dictionary } = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
    passwords = new Set<string>(dictionary['passwords-common']);
  }
  return passwords;
}

const shortestCount = 4;
const shortestWord = 4;

/**
 * Is this (case-folded) password a common one? Either it is listed, or it is a listed one followed by a count or a repetition of four or more
 * digits (`password12345678`, `dragon11111111`): the list holds hardly any that are long, and these are what people make of it when length is asked for.
 */
export function isCommonPassword(folded: string): boolean {
  if (listed().has(folded)) return true;
  const count = trailingCount(folded);
  if (count < shortestCount) return false;
  // Every shorter tail of the count is a count too: `test112345` is `test1` + `12345`.
  for (let length = shortestCount; length <= count; length++) {
    const word = folded.slice(0, -length);
    if (word.length >= shortestWord && listed().has(word)) return true;
  }
  return false;
}

/** How many digits at the end go up by one, down by one or stay the same, 9 and 0 being neighbours. */
function trailingCount(text: string): number {
  const digits = /\d+$/.exec(text)?.[0] ?? '';
  const steps = [0, 1, 9].map((step) => {
    let length = Math.min(digits.length, 1);
    for (let at = digits.length - 1; at > 0; at--) {
      if ((Number(digits[at]) - Number(digits[at - 1]) + 10) % 10 !== step) break;
      length++;
    }
    return length;
  });
  return Math.max(...steps);
}
