/** What one look found. `failed`: it does not work, or is not safe; `warning`: it works, but somebody should know. `advice`: what to do about it. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  readonly advice?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });
export const warning = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: 'warning',
  detail,
  advice,
});
export const failed = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: 'failed',
  detail,
  advice,
});

/** The first line of what an error says. */
export const reasonOf = (error: unknown) => String((error as Error)?.message ?? error).split('\n', 1)[0] as string;
