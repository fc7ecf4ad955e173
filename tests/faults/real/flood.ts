import type { RealSystem } from './real-system.js';

type Request = (system: RealSystem, n: number) => Promise<{ readonly status: number }>;

const post = (path: string, body: (system: RealSystem, n: number) => unknown): Request => {
  return (system, n) => system.client().post(path, body(system, n));
};

export const login = post('/login', (system) => system.adminCredentials);
export const reset = post('/reset-password', (_system, n) => ({ email: `flood${n}@example.net` }));
/** Just within BODY_LIMIT, so that all of it is read and parsed. */
export const bigBody = post('/login', (_system, n) => ({
  email: `flood${n}@example.net`,
  password: 'x'.repeat(100_000),
}));
export const tooBigBody = post('/login', () => ({ password: 'x'.repeat(2_000_000) }));

/** So many requests all at once, of each kind in turn; counts what they were told. */
export async function flood(
  system: RealSystem,
  count: number,
  kinds: readonly Request[],
): Promise<Record<string, number>> {
  const told: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const what = await (kinds[n % kinds.length] as Request)(system, n).then(
        ({ status }) => String(status),
        () => 'no answer',
      );
      told[what] = (told[what] ?? 0) + 1;
    }),
  );
  return told;
}

/** What a flood was told that is neither an answer to its question nor a clear "not now". */
export function unclear(told: Readonly<Record<string, number>>): string[] {
  return Object.keys(told).filter((one) => !['200', '400', '401', '413', '429', '503', 'no answer'].includes(one));
}
