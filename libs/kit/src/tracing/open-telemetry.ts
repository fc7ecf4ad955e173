import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logger.js';
import { Problem } from '../problem.js';
import type { Span, SpanStart, Tracer } from './tracing.js';

export interface OpenTelemetryOptions {
  /** The collector's base address; `/v1/traces` is added. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Share of traces that is kept, 0 to 1; what comes with a decision keeps it. */
  readonly ratio: number;
  readonly service: string;
  /** `messaging.system` of every message's span. */
  readonly messagingSystem: string;
  readonly logger: Logger;
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};
/** W3C Trace Context §3.2, version 00. */
const traceparentForm = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Sends spans to an OTLP/HTTP collector, in batches and in the background. `stop` sends what is left. */
export function openTelemetry(o: OpenTelemetryOptions): { readonly tracer: Tracer; stop(): Promise<void> } {
  const tell = (...[detail]: readonly unknown[]) => o.logger.warn({ detail: String(detail).slice(0, 500) }, 'tracing');
  diag.setLogger({ error: tell, warn: tell, info() {}, debug() {}, verbose() {} }, DiagLogLevel.ERROR);
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  const exporter = new OTLPTraceExporter({ url: `${o.endpoint}/v1/traces`, headers: { ...o.headers } });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': o.service, 'service.namespace': 'latchkey' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(o.ratio) }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  return {
    tracer: tracerOver(provider.getTracer('latchkey'), o.messagingSystem),
    async stop() {
      await provider.shutdown();
      context.disable();
      diag.disable();
    },
  };
}

function tracerOver(spans: OtelTracer, messagingSystem: string): Tracer {
  const current = () => {
    const found = trace.getActiveSpan()?.spanContext();
    return found !== undefined && isSpanContextValid(found) ? found : undefined;
  };
  return {
    async inSpan(start, work) {
      const messaging = start.kind === 'producer' || start.kind === 'consumer';
      const parent = parentOf(start);
      const span = spans.startSpan(
        start.name,
        {
          kind: kinds[start.kind],
          attributes: { ...start.attributes, ...(messaging && { 'messaging.system': messagingSystem }) },
        },
        parent,
      );
      try {
        return await context.with(trace.setSpan(parent, span), () => work(handle(span)));
      } catch (error) {
        handle(span).fail(typeOf(error));
        throw error;
      } finally {
        span.end();
      }
    },
    traceparent() {
      const found = current();
      if (found === undefined) return undefined;
      return `00-${found.traceId}-${found.spanId}-${found.traceFlags.toString(16).padStart(2, '0')}`;
    },
    ids() {
      const found = current();
      return found && { trace_id: found.traceId, span_id: found.spanId };
    },
  };
}

function parentOf({ parent }: SpanStart): Context {
  if (parent === undefined) return context.active();
  const [, traceId = '', spanId = '', flags = '00'] = traceparentForm.exec(parent) ?? [];
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : context.active();
}

function handle(span: OtelSpan): Span {
  return {
    set: (attributes) => void span.setAttributes({ ...attributes }),
    fail(type) {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

/** A code, never the message. */
function typeOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error');
}
