import { createListener, createOperationalRouter, type Listener } from '@latchkey/kit';
import express from 'express';
import type { Mounted } from './stand-ins.js';

/** A server for stand-ins that no service hosts: the mailbox's page, the payment simulator. */
export function createSandboxServer(o: { mounted: readonly Mounted[]; host: string; port: number }): Listener {
  const app = express().disable('x-powered-by').disable('etag');
  app.use(createOperationalRouter({ started: () => true, health: async () => ({ status: 'ok', checks: {} }) }));
  for (const { path, router } of o.mounted) app.use(path, router);
  return createListener({ name: 'sandbox-server', app, host: o.host, port: o.port });
}
