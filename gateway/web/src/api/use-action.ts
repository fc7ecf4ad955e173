import { useState } from 'preact/hooks';
import { goToLogin } from '../routing/navigation.js';
import { Refusal } from './refusal.js';

export interface Action<Arguments extends unknown[]> {
  readonly isBusy: boolean;
  /** Why the last run was refused; a new run clears it. */
  readonly refusal: Refusal | undefined;
  /** Whether it went well. A second run while one is under way does nothing. */
  run(...given: Arguments): Promise<boolean>;
  clear(): void;
}

/** Something that a button does: busy meanwhile, and the refusal kept for an `Alert`. */
export function useAction<Arguments extends unknown[]>(
  perform: (...given: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  return {
    isBusy,
    refusal,
    clear: () => setRefusal(undefined),
    async run(...given) {
      if (isBusy) return false;
      setBusy(true);
      setRefusal(undefined);
      try {
        await perform(...given);
        return true;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === 'session-required') goToLogin();
        else setRefusal(error);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
