/** A controller that is aborted with another signal too. */
export interface Following {
  readonly controller: AbortController;
  /** Lets go of the other signal; call it once nothing listens any more. */
  letGo(): void;
}

/**
 * What `AbortSignal.any` is for, let go of by hand: there the other signal remembers each that follows it for as long as it lives itself, long after the mail was
 * sent (nodejs/node#55351).
 */
export function followAbort(other: AbortSignal): Following {
  const controller = new AbortController();
  const abort = () => controller.abort();
  other.addEventListener('abort', abort);
  if (other.aborted) abort();
  return { controller, letGo: () => other.removeEventListener('abort', abort) };
}
