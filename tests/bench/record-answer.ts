/** An answer of ours, for a floor to repeat. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** What a server adds by itself. */
const ofTheConnection = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

export async function recordAnswer(url: string, cookie: string): Promise<RecordedAnswer> {
  const answer = await fetch(url, { headers: { cookie } });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${body}`);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !ofTheConnection.has(name)));
  return { status: answer.status, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body };
}
