import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../route.js';

const NOTHING = Buffer.alloc(0);

/** What the gateway's handlers see of a request and its answer. */
export class HttpExchange implements Exchange {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  /** Set by the handler; the endpoint's own status otherwise. Refusals have their own. */
  chosenStatus: number | undefined;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, rawBody: Buffer | undefined) {
    this.#request = request;
    this.#response = response;
    this.headers = request.headers;
    this.rawBody = rawBody ?? NOTHING;
  }

  /** Of the socket: proxies are not believed here. */
  get remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? 'unknown';
  }

  status(code: number): void {
    this.chosenStatus = code;
  }

  // A handler that outlived its deadline finds the answer already sent.
  setHeader(name: string, value: string): void {
    if (!this.#response.headersSent) this.#response.setHeader(name, value);
  }

  appendHeader(name: string, value: string): void {
    if (!this.#response.headersSent) this.#response.appendHeader(name, value);
  }
}
