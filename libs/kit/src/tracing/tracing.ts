/** Values that help to find a trace. Never an email, a token, a cookie, a query or an error's message: traces leave the house (S48). */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  /** By OpenTelemetry's semantic conventions: few different ones, so patterns and names, never ids. */
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** W3C `traceparent` of what caused this, when that was elsewhere or earlier; else the span under way is its parent. */
  readonly parent?: string | undefined;
}

/** A span under way. It ends with its work; work that rejects has failed. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** `type`: a code or a class of error. */
  fail(type: string): void;
}

export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

/** What carries spans out of this process. */
export interface Tracer {
  inSpan<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  traceparent(): string | undefined;
  ids(): TraceIds | undefined;
}

const noSpan: Span = { set: () => undefined, fail: () => undefined };
let tracer: Tracer | undefined;

/** One for the whole process; `undefined`: no tracing. */
export function useTracer(given: Tracer | undefined): void {
  tracer = given;
}

/** Runs `work` within a span of its own. Without a tracer it runs as it is, and `start` is not even asked. */
export function inSpan<T>(start: () => SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === undefined ? work(noSpan) : tracer.inSpan(start(), work);
}

/** W3C `traceparent` of the span under way: what goes along with a call, or is stored with what others will do later. */
export function currentTraceparent(): string | undefined {
  return tracer?.traceparent();
}

/** For log lines. */
export function currentTraceIds(): TraceIds | undefined {
  return tracer?.ids();
}
