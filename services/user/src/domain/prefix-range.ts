const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;

/** A condition that an index serves as a range; characters that a regular expression would take for its own mean themselves. */
export type PrefixRange = { $gte: string; $lt: string } | { $gte: string };

/** Everything that starts with `prefix`, for values compared by code point. */
export function prefixRange(prefix: string): PrefixRange {
  const end = successor(prefix);
  return end === null ? { $gte: prefix } : { $gte: prefix, $lt: end };
}

/** The least text above every text with this prefix: its last code point that has a next one, raised by one. */
function successor(prefix: string): string | null {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    if (next > LAST_CODE_POINT) continue;
    return points.join('') + String.fromCodePoint(next === FIRST_SURROGATE ? AFTER_SURROGATES : next);
  }
  return null;
}
