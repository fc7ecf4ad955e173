/** Keys k with `from <= k < to`, compared as bytes. */
export interface KeyInterval {
  readonly from: Buffer;
  readonly to: Buffer;
}

/** The smallest bytes that are greater than everything starting with `prefix`. */
export function after(prefix: Buffer): Buffer {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end--;
  if (end === 0) return Buffer.from([0xff, 0xff]);
  const next = Buffer.from(prefix.subarray(0, end));
  next[end - 1] = (next[end - 1] ?? 0) + 1;
  return next;
}

/** Everything that starts with `prefix`. */
export function startingWith(prefix: Buffer): KeyInterval {
  return { from: prefix, to: after(prefix) };
}

/** All keys of an index. */
export const everyKey: KeyInterval = { from: Buffer.alloc(0), to: Buffer.from([0xff]) };

/** What both intervals contain; may be empty. */
export function intersect(left: KeyInterval, right: KeyInterval): KeyInterval {
  return {
    from: Buffer.compare(left.from, right.from) >= 0 ? left.from : right.from,
    to: Buffer.compare(left.to, right.to) <= 0 ? left.to : right.to,
  };
}

export function isEmpty(interval: KeyInterval): boolean {
  return Buffer.compare(interval.from, interval.to) >= 0;
}

/** The bytes of a descending field: every bit flipped, so that memcmp runs the other way round. */
export function flipped(key: Buffer): Buffer {
  const result = Buffer.allocUnsafe(key.length);
  for (let at = 0; at < key.length; at++) result[at] = ~(key[at] ?? 0);
  return result;
}

/** The interval of the flipped keys: its ends swap, and each becomes "after everything that starts with it". */
export function flippedInterval(interval: KeyInterval): KeyInterval {
  return { from: after(flipped(interval.to)), to: after(flipped(interval.from)) };
}

/** The interval behind a fixed beginning (the equal fields of a compound index). */
export function behind(prefix: Buffer, interval: KeyInterval): KeyInterval {
  return prefix.length === 0
    ? interval
    : { from: Buffer.concat([prefix, interval.from]), to: Buffer.concat([prefix, interval.to]) };
}
