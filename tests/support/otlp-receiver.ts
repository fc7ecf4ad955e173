import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a test looks at it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface OtlpSpan extends Omit<ReceivedSpan, 'service' | 'failed' | 'attributes'> {
  readonly attributes: readonly OtlpAttribute[];
  readonly status?: { readonly code?: number };
}
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A collector for OTLP over HTTP, in JSON, that keeps what it is sent. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The bodies as they came. */
  raw = '';
  /** Paths and headers that it was called by. */
  readonly calls: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];
  #server: Server | undefined;

  get url(): string {
    const { port } = (this.#server?.address() as AddressInfo | undefined) ?? { port: 0 };
    return `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      this.calls.push({ path: request.url ?? '', headers: request.headers });
      this.raw += text;
      this.#keep(JSON.parse(text) as OtlpRequest);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
  }

  #keep({ resourceSpans }: OtlpRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const { attributes, status, parentSpanId, ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
        const parent = parentSpanId === '' ? undefined : parentSpanId;
        const failed = status?.code === 2;
        this.spans.push({ ...span, service, parentSpanId: parent, failed, attributes: valuesOf(attributes) });
      }
    }
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

function valuesOf(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
