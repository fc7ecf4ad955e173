/**
 * Makes each thing once for its names and keeps it. For formatters of `Intl`: each holds memory outside of JavaScript's heap, so that making them anew for
 * every mail of a backlog takes hundreds of MB before the collector finds it worth its while. The names must be few: languages, units, currencies.
 */
export function kept<T>(make: (...names: string[]) => T): (...names: string[]) => T {
  const made = new Map<string, T>();
  return (...names) => {
    const key = names.join(' ');
    const found = made.get(key) ?? make(...names);
    made.set(key, found);
    return found;
  };
}
