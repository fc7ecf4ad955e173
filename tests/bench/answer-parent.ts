/** In a child of the bench: what it can be asked for. It lives no longer than its parent. */
export function answerParent(answers: Record<string, (argument: never) => unknown>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', async ({ id, question, argument }: { id: number; question: string; argument: never }) => {
    try {
      process.send?.({ id, value: await answers[question]?.(argument) });
    } catch (error) {
      process.send?.({ id, error: (error as Error).stack ?? String(error) });
    }
  });
}
