import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of one service. Several services of one process have a registry each; the process's own are in every output. */
export interface Metrics {
  readonly registry: Registry;
  counter<L extends string>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  /** `collect` is asked at each scrape. */
  gauge<L extends string>(name: string, help: string, labels?: readonly L[], collect?: GaugeCollector<L>): Gauge<L>;
  /** `buckets`: upper bounds, in seconds for durations. */
  histogram<L extends string>(name: string, help: string, labels?: readonly L[], buckets?: number[]): Histogram<L>;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** Prometheus's text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

export type GaugeCollector<L extends string> = (gauge: Gauge<L>) => void | Promise<void>;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);

let processRegistry: Registry | undefined;

/** Memory, event loop, garbage collection: once, however many services share the process. */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const register = { registers: [registry] };
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request, by route pattern and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    ...register,
  });
  return {
    registry,
    contentType: registry.contentType,
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: labels, ...register }),
    gauge: (name, help, labels = [], collect) =>
      new Gauge({
        name,
        help,
        labelNames: labels,
        ...register,
        ...(collect && {
          collect() {
            return collect(this);
          },
        }),
      }),
    histogram: (name, help, labels = [], buckets) =>
      new Histogram({ name, help, labelNames: labels, ...register, ...(buckets && { buckets }) }),
    observeRequest: (method, route, status, seconds) =>
      // A method is any token a client likes to send; labels must stay few.
      durations.observe({ method: methods.has(method) ? method : 'other', route, status }, seconds),
    // Not Registry.merge, which drops the service label.
    text: async () => `${await processMetrics().metrics()}\n${await registry.metrics()}`,
  };
}
