/**
 * Folds text so that what people take for the same letters compares equal, whatever their case: compatibility
 * composition, then case folding. Upper before lower case makes `ß` meet `ss`; the Greek final sigma is made plain,
 * since whether it is final changes with every letter typed after a prefix.
 */
export function foldText(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** What makes two emails the same one. Addresses are ASCII, so lower case is all there is to fold. */
export function emailKeyOf(email: string): string {
  return email.toLowerCase();
}
