const SYNTAX = new Set([...'^$.*+?()[]{}|\\']);

/**
 * The literal text that every match of an anchored pattern starts with (`/^ab\.c.*$/` → `ab.c`), or undefined when the
 * pattern has none: not anchored, with flags, with alternatives.
 */
export function literalPrefix(pattern: RegExp): string | undefined {
  const { source, flags } = pattern;
  if (flags !== '' || !source.startsWith('^') || source.includes('|')) return undefined;
  let prefix = '';
  for (let at = 1; at < source.length; ) {
    const character = source[at] ?? '';
    const escaped = character === '\\';
    const literal = escaped ? (source[at + 1] ?? '') : character;
    // `\d`, `\b`, `\1` are classes and references; only escaped punctuation stands for itself.
    if (escaped ? /[\w]/.test(literal) : SYNTAX.has(character)) break;
    const next = at + (escaped ? 2 : 1);
    // A quantifier may make the character before it optional.
    if ('*?{'.includes(source[next] ?? ' ')) break;
    prefix += literal;
    at = next;
  }
  // Half of a surrogate pair is no text that could be encoded.
  return prefix.replace(/[\ud800-\udbff]$/, '') || undefined;
}
