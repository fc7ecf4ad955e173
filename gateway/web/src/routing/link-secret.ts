/** The secret of a mailed link and whose it is. */
export interface LinkSecret {
  readonly token: string;
  readonly userId: number;
}

/**
 * Takes the mailed secret out of the address bar, so that it is in no history, screenshot or Referer (S57). The history entry keeps it, so that a reload still knows it; `forgetLinkSecret`
 * ends that. Undefined when there is none.
 */
export function takeLinkSecret(parameter: 'reset_token' | 'disown_token' | 'confirm_token'): LinkSecret | undefined {
  const query = new URLSearchParams(location.search);
  if (query.has(parameter)) history.replaceState(Object.fromEntries(query), '', location.pathname);
  const { [parameter]: token, user_id: id } = (history.state ?? {}) as Record<string, unknown>;
  const userId = Number(id);
  if (typeof token !== 'string' || token === '' || !Number.isSafeInteger(userId) || userId < 1) return undefined;
  return { token, userId };
}

export function forgetLinkSecret(): void {
  history.replaceState(null, '');
}
