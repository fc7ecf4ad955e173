import { Problem } from '@latchkey/kit';

/**
 * Lets so many attempts of one account run at once in this process; the others wait for their turn. Without it the attempts that run, each counted
 * as a failure until it is known to be none, would refuse a person who logs in with several windows at once.
 */
export class Turns {
  private readonly keys = new Map<string, { running: number; readonly waiting: ((go: boolean) => void)[] }>();

  constructor(private readonly options: { readonly atOnce: number; readonly waitAtMost: number }) {}

  /** Runs `work` in its turn. Throws `overloaded` when too many wait already or the turn does not come within `timeout` ms. */
  async take<T>(key: string, timeout: number, work: () => Promise<T>): Promise<T> {
    const turn = this.keys.get(key) ?? { running: 0, waiting: [] };
    this.keys.set(key, turn);
    if (turn.running < this.options.atOnce) turn.running++;
    else if (!(await this.wait(turn.waiting, timeout))) throw new Problem('overloaded', { retryAfter: 1 });
    try {
      return await work();
    } finally {
      const next = turn.waiting.shift();
      if (next) next(true);
      else if (--turn.running === 0) this.keys.delete(key);
    }
  }

  private wait(waiting: ((go: boolean) => void)[], timeout: number): Promise<boolean> {
    if (waiting.length >= this.options.waitAtMost) return Promise.resolve(false);
    return new Promise((resolve) => {
      const go = (comes: boolean) => {
        clearTimeout(timer);
        resolve(comes);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        resolve(false);
      }, timeout);
      waiting.push(go);
    });
  }
}
