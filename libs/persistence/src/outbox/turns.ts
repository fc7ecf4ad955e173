/**
 * Lets those of one process that want the same document line up, so that a hundred of them do not overtake one another without end. Only an order of
 * tries: what decides is still the condition of the write. Nobody holds more than one turn.
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves with a function to call when done, after all who asked before have called theirs, or after `ms` in any case. */
  async take(key: string, ms: number): Promise<() => void> {
    const before = this.#last.get(key);
    let release: () => void = () => {};
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    const all = Promise.all([before, mine]).then(() => {
      if (this.#last.get(key) === all) this.#last.delete(key);
    });
    this.#last.set(key, all);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([before, limit]);
    clearTimeout(timer);
    return release;
  }
}
