import { CookieJar } from 'tough-cookie';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; undefined when there was none or it was not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they check
  readonly body: any;
  readonly text: string;
  readonly setCookies: readonly string[];
}

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** Sent as it is, with `contentType`, instead of JSON. */
  readonly raw?: string | Uint8Array;
  readonly contentType?: string | null;
  readonly redirect?: RequestInit['redirect'];
}

/** A client as a browser would be: it keeps cookies in a jar. Knows the HTTP interface and nothing else of the system. */
export class ApiClient {
  readonly jar = new CookieJar();

  constructor(readonly baseUrl: string) {}

  get = (path: string, options?: RequestOptions) => this.request('GET', path, undefined, options);
  delete = (path: string, options?: RequestOptions) => this.request('DELETE', path, undefined, options);
  post = (path: string, body?: unknown, options?: RequestOptions) => this.request('POST', path, body, options);
  put = (path: string, body?: unknown, options?: RequestOptions) => this.request('PUT', path, body, options);

  async request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    const url = new URL(path, this.baseUrl).toString();
    const headers = new Headers(options.headers);
    const cookie = await this.jar.getCookieString(url);
    if (cookie && !headers.has('cookie')) headers.set('cookie', cookie);
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    if (payload !== undefined && options.contentType !== null) {
      headers.set('content-type', options.contentType ?? 'application/json');
    }
    const response = await fetch(url, {
      method,
      headers,
      redirect: options.redirect ?? 'manual',
      ...(payload !== undefined && { body: payload as NonNullable<RequestInit['body']> }),
    });
    const text = await response.text();
    const setCookies = response.headers.getSetCookie();
    for (const line of setCookies) await this.jar.setCookie(line, url, { ignoreError: true });
    return { status: response.status, headers: response.headers, body: parse(text), text, setCookies };
  }

  /** The session token in the jar, if any. */
  async token(name = 'access_token'): Promise<string | undefined> {
    const cookies = await this.jar.getCookies(this.baseUrl);
    return cookies.find((cookie) => cookie.key === name)?.value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
