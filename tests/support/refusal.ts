import { Problem } from '@latchkey/kit';

/** What a refusal says, for comparing; fails the test when there is none. */
export async function refusal(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, status, message, limit, retryAfter, errors } = error;
    return { code, status, message, limit, retryAfter, errors };
  }
  throw new Error('It was not refused');
}
