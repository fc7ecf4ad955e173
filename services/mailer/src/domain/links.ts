/** Builds the links of mails from configuration alone, never from a request's Host header (S56). */
export interface Links {
  /** Where a new password is set; the only link with a parameter named `reset_token`. */
  setPassword(token: string, userId: number): string;
  /** "This was not me": the page asks before it does anything. */
  disown(token: string, userId: number): string;
  confirmEmail(token: string, userId: number): string;
}

export function createLinks(options: { publicUrl: string; resetLinkUrl: string | null }): Links {
  const base = options.publicUrl.replace(/\/+$/, '');
  const link = (page: string, parameter: string) => (token: string, userId: number) =>
    `${page}${page.includes('?') ? '&' : '?'}${parameter}=${encodeURIComponent(token)}&user_id=${userId}`;
  return {
    setPassword: link(options.resetLinkUrl ?? `${base}/change-password`, 'reset_token'),
    disown: link(`${base}/not-me`, 'disown_token'),
    confirmEmail: link(`${base}/confirm-email`, 'confirm_token'),
  };
}
