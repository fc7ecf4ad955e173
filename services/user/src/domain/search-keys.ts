import { emailKeyOf, foldText } from './fold.js';
import type { Names } from './names.js';

/** Code points of the longest edge n-gram that is kept: 25 grams are usual for a user, 36 the most. */
const LONGEST_GRAM = 12;
/** Of a user who has no text (any more). Not `[]`: MongoDB lists an empty array under the key where it looks for what is missing. */
export const NO_GRAMS: readonly string[] = [''];

/** The folded copies that prefix search goes by. Apart from `emailKey`, which only living users have. */
export interface SearchKeys {
  readonly searchEmail: string;
  readonly searchFirstName: string;
  readonly searchLastName: string;
  /** The edge n-grams of the three: who matches a short prefix has it among these, so that one index gives the matches by id, however many they are. */
  readonly searchGrams: readonly string[];
}

export function searchKeys(email: string, names: Names): SearchKeys {
  const searchEmail = emailKeyOf(email);
  const searchFirstName = foldText(names.first_name);
  const searchLastName = foldText(names.last_name);
  const grams = new Set([searchEmail, searchFirstName, searchLastName].flatMap(edgeGrams));
  const searchGrams = grams.size > 0 ? [...grams] : NO_GRAMS;
  return { searchEmail, searchFirstName, searchLastName, searchGrams };
}

/** Whether everybody who matches this folded prefix has it among the grams. */
export function isGram(prefix: string): boolean {
  return [...prefix].length <= LONGEST_GRAM;
}

/** `'abc'`: `['a', 'ab', 'abc']`; by code points, as prefixes are compared. */
function edgeGrams(text: string): string[] {
  const grams: string[] = [];
  let gram = '';
  for (const point of text) {
    if (grams.length === LONGEST_GRAM) break;
    gram += point;
    grams.push(gram);
  }
  return grams;
}
