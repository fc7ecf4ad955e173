import { Agent, get } from 'node:http';
import { percentile } from '../measure/percentile.js';
import type { Sample } from '../row.js';

export interface OpenLoop {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Requests a second, sent whether or not those before were answered. */
  readonly rate: number;
  readonly seconds: number;
}

/**
 * Requests at a steady rate. A time counts from the moment at which the request was meant to be sent, so that a server which stalls is charged for every
 * request that it kept from being sent ("coordinated omission" avoided).
 */
export async function openLoop(load: OpenLoop): Promise<Sample> {
  const agent = new Agent({ keepAlive: true });
  const began = performance.now();
  const count = Math.round(load.rate * load.seconds);
  const times = await Promise.all(
    Array.from({ length: count }, async (_nothing, at) => {
      const intended = began + (at * 1000) / load.rate;
      await new Promise((resolve) => setTimeout(resolve, intended - performance.now()));
      // Timers come a fraction of a millisecond early.
      const from = Math.min(intended, performance.now());
      await answered(load, agent);
      return performance.now() - from;
    }),
  );
  agent.destroy();
  return { rate: load.rate, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function answered({ url, headers }: OpenLoop, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', resolve);
    });
    request.once('error', reject);
  });
}
