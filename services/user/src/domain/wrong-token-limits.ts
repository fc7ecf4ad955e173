const SECONDS = 15 * 60;

/** How many wrong confirmation tokens are answered (api.md, "Limits"), multiplied by RATE_LIMIT_SCALE. */
export function wrongTokenLimits(scale: number) {
  const limit = (name: string, most: number) => ({
    name,
    most: Math.max(1, Math.round(most * scale)),
    seconds: SECONDS,
  });
  return { ofUser: limit('wrong-tokens-per-user', 50), ofAddress: limit('wrong-tokens-per-address', 100) };
}
