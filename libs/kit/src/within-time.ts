const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The result of `work`, or the error of `onTimeout` once `milliseconds` are over. What comes late is dropped; the work itself cannot be stopped and
 * may still have its effect.
 */
export async function withinTime<T>(
  milliseconds: number,
  work: () => PromiseLike<T>,
  onTimeout: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), Math.min(milliseconds, LONGEST_TIMER));
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
