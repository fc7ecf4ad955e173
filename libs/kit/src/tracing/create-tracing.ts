import type { ConfigOf } from '../config/load-config.js';
import { settings } from '../config/settings.js';
import type { Logger } from '../logger.js';
import type { Component } from '../service.js';
import { useTracer } from './tracing.js';

/** What every process needs to know to trace. */
export const tracingSettings = {
  otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
  otlpHeaders: settings.OTEL_EXPORTER_OTLP_HEADERS,
  traceRatio: settings.OTEL_TRACES_SAMPLER_ARG,
};

/** Milliseconds that a stop waits for a collector to take the last spans. */
const FLUSH_LIMIT = 1_500;

/**
 * Traces of this process while an OTLP endpoint is set. The first component of a process, so that it is the last to stop. Without an endpoint nothing is loaded.
 * `service`: the process's name. `messagingSystem`: as the semantic conventions name the broker.
 */
export function createTracing(o: {
  config: ConfigOf<typeof tracingSettings>;
  service: string;
  messagingSystem: string;
  logger: Logger;
}): Component {
  const { otlpEndpoint: endpoint, otlpHeaders: headers = {}, traceRatio: ratio } = o.config;
  let stop: (() => Promise<void>) | undefined;
  return {
    name: 'tracing',
    async start() {
      if (endpoint === undefined) return;
      const { openTelemetry } = await import('./open-telemetry.js');
      const opened = openTelemetry({ ...o, endpoint, headers, ratio });
      useTracer(opened.tracer);
      stop = opened.stop;
    },
    async stop() {
      if (stop === undefined) return;
      useTracer(undefined);
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_LIMIT);
      });
      await Promise.race([stop().catch(() => undefined), limit]);
      clearTimeout(timer);
    },
  };
}
