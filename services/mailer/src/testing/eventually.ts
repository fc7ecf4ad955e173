/** Runs an assertion until it holds; its own error after `seconds`. */
export async function eventually<T>(assertion: () => T | Promise<T>, seconds = 25): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
