/** The limits that auth counts by windows (api.md, "Limits"), multiplied by RATE_LIMIT_SCALE. The delay per account is in login-delay.ts. */
export function limitsFor(scale: number) {
  const limit = (name: string, most: number, seconds: number) => ({
    name,
    most: Math.max(1, Math.round(most * scale)),
    seconds,
  });
  return {
    loginFailuresOfAddress: limit('login-failures-per-address', 100, 15 * 60),
    resetsOfAddress: limit('resets-per-address', 30, 60 * 60),
    wrongTokensOfUser: limit('wrong-tokens-per-user', 50, 15 * 60),
    wrongTokensOfAddress: limit('wrong-tokens-per-address', 100, 15 * 60),
    invitationsOfUser: limit('invitations-per-user', 1, 60),
  };
}
export type Limits = ReturnType<typeof limitsFor>;

/** Links mailed to one recipient: at most one in `interval` seconds and `perHour`; the scale does not touch how many live at once. */
export function linkLimits(scale: number) {
  return { interval: 60 / scale, perHour: Math.max(1, Math.round(5 * scale)), live: 3 };
}
export type LinkLimits = ReturnType<typeof linkLimits>;
