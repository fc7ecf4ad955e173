/** Settles as `work` does, or rejects with `onTimeout()` after `ms`. The work itself cannot be stopped and may still have its effect. */
export async function withTimeLimit<T>(work: PromiseLike<T>, ms: number, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
