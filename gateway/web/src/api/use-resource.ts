import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { goToLogin } from '../routing/navigation.js';
import { Refusal } from './refusal.js';

export type Resource<T> = {
  readonly value: T | undefined;
  readonly refusal: Refusal | undefined;
  /** True until the first answer, and again during `reload`. */
  readonly isLoading: boolean;
  /** Asks again; what is shown stays until the answer has come. */
  reload(): Promise<void>;
};

/**
 * Asks when the page appears and whenever one of `dependencies` changes; an answer that was overtaken is dropped. Without a session it leads to the login page, and from there back.
 */
export function useResource<T>(load: () => Promise<T>, dependencies: readonly unknown[] = []): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, 'reload'>>({
    value: undefined,
    refusal: undefined,
    isLoading: true,
  });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    const turn = ++latest.current;
    setState((before) => ({ ...before, isLoading: true }));
    const outcome = await load().then(
      (value) => ({ value, refusal: undefined }),
      (error) => ({ value: undefined, refusal: asRefusal(error) }),
    );
    if (turn !== latest.current) return;
    if (outcome.refusal?.code === 'session-required') return goToLogin();
    setState({ ...outcome, isLoading: false });
  }, dependencies);
  useEffect(() => {
    void reload();
    return () => {
      latest.current++;
    };
  }, [reload]);
  return { ...state, reload };
}

/** Anything but a refusal is a fault of the page's own: it must not pass for an answer. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
