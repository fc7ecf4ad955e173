/** The result of `work`, or the error of `onTimeout` after so many milliseconds. What comes late is dropped; the work itself goes on. */
export async function withinTime<T>(milliseconds: number, work: () => Promise<T>, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), milliseconds);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
