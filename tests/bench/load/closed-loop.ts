import autocannon from 'autocannon';
import { percentile } from '../measure/percentile.js';
import type { Sample } from '../row.js';

export interface ClosedLoop {
  readonly url: string;
  readonly connections: number;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  /** Made for each request. */
  readonly next?: () => { readonly body: string; readonly headers?: Record<string, string> };
  /** Ends after so many seconds … */
  readonly seconds?: number;
  /** … or so many requests. */
  readonly count?: number;
  /** The only status that counts as an answer. */
  readonly status?: number;
}

/** Keep-alive clients that each send the next request when the last one was answered. Throws when any answer was another than the expected. */
export async function closedLoop(load: ClosedLoop): Promise<Sample & { count: number }> {
  const { status = 200, next } = load;
  const times: number[] = [];
  const others = new Map<number, number>();
  const options: autocannon.Options = {
    url: load.url,
    connections: load.connections,
    ...(load.count === undefined ? { duration: load.seconds ?? 1 } : { amount: load.count }),
    timeout: 60,
    requests: [
      {
        method: load.method ?? 'GET',
        headers: load.headers ?? {},
        ...(next && {
          setupRequest(request: autocannon.Request) {
            const { body, headers } = next();
            return { ...request, body, headers: { ...request.headers, ...headers } };
          },
        }),
      },
    ],
  };
  const began = performance.now();
  let last = began;
  const { errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    instance.on('response', (_client, code, _bytes, milliseconds) => {
      last = performance.now();
      if (code === status) times.push(milliseconds);
      else others.set(code, (others.get(code) ?? 0) + 1);
    });
  });
  if (others.size > 0 || errors > 0 || times.length === 0)
    throw new Error(
      `${load.url}: ${times.length} answers of ${status}, others ${JSON.stringify([...others])}, ${errors} broken`,
    );
  return {
    count: times.length,
    rate: (times.length * 1000) / (last - began),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}
