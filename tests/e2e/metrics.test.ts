import { freePorts } from '../support/free-ports.js';
import { type System, startSystem } from '../support/system.js';

let system: System;
let port: number;

beforeAll(async () => {
  port = (await freePorts(1))[0] as number;
  system = await startSystem({ GATEWAY_METRICS_PORT: String(port) });
});
afterAll(() => system?.stop());

test("the gateway's requests are measured on a port of their own, and never shown on its public one", async () => {
  expect((await system.client().get('/session')).status).toBe(401);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toMatch(/^http_request_duration_seconds_count\{.*service="gateway".*route="\/session".*\} 1$/m);
  expect((await system.client().get('/metrics')).status).toBe(404);
});
