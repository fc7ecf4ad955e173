import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly setCookies: readonly string[];
  readonly text: string;
  /** The body as it came over the wire, compressed perhaps. */
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they check
  readonly body: any;
}

export interface Asked {
  readonly headers?: Record<string, string>;
  /** Sent as JSON, unless it is a string, which is sent as it is. */
  readonly body?: unknown;
}

/** One request with exactly these headers: `fetch` adds some of its own and forbids others. */
export function httpRequest(port: number, method: string, path: string, asked: Asked = {}): Promise<Answer> {
  const body = asked.body === undefined || typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body);
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, ...asked.headers }, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers as Record<string, string | undefined>,
            setCookies: incoming.headers['set-cookie'] ?? [],
            text,
            bytes,
            body: /json/.test(incoming.headers['content-type'] ?? '') ? JSON.parse(text || 'null') : undefined,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
