import { Problem } from '@latchkey/kit';
import express, { type Router } from 'express';
import { z } from 'zod';
import type { FaultPlan } from './fault-plan.js';
import { concludeSession } from './pay-session.js';
import type { WebhookSender } from './webhook-sender.js';
import type { World } from './world.js';

const controls = z.strictObject({
  /** Copies sent beside each webhook, at the same time. */
  duplicate: z.int().min(0).max(50).optional(),
  /** New webhooks are sent this much later. */
  delayMs: z.int().min(0).max(3_600_000).optional(),
  /** New webhooks wait until they are released. */
  hold: z.boolean().optional(),
  /** Sends what is held, one by one: in the order of the events, against it, in any order, or as named. */
  release: z.union([z.enum(['in-order', 'reverse', 'shuffled']), z.array(z.string()).max(1000)]).optional(),
  /** Sends these events once more. */
  resend: z.array(z.string()).max(1000).optional(),
  payLaterMs: z.int().min(0).optional(),
  /** Ends a delayed payment now. */
  conclude: z.strictObject({ session: z.string(), outcome: z.enum(['succeeded', 'failed']) }).optional(),
  failApi: z
    .strictObject({
      latencyMs: z.int().min(0).max(120_000),
      status: z.int().min(400).max(599),
      closeConnection: z.enum(['before', 'after']),
      path: z.string(),
      times: z.int().min(1),
    })
    .partial()
    .nullable()
    .optional(),
});

/** For tests and for trying things out: webhooks twice, late or out of order, an API that fails. `GET` shows how it all stands. */
export function controlRouter(o: { world: World; sender: WebhookSender; faults: FaultPlan }): Router {
  const { world, sender, faults } = o;
  const { store } = world;
  const router = express.Router();

  const state = () => ({
    duplicate: sender.duplicates,
    delayMs: world.delayMs,
    hold: world.holding,
    payLaterMs: world.payLaterMs,
    failApi: faults.current,
    held: store
      .all('delivery')
      .flatMap(({ id, state }) => (state === 'held' ? [{ id, type: store.get('event', id)?.type }] : [])),
    pending: store.all('delivery').filter(({ state }) => state === 'pending').length,
  });

  router.get('/controls', (_request, response) => response.json(state()));
  router.post('/controls', express.json({ limit: '64kb' }), async (request, response) => {
    const parsed = controls.safeParse(request.body);
    if (!parsed.success) throw new Problem('validation-failed', { detail: z.prettifyError(parsed.error) });
    const wanted = parsed.data;
    sender.duplicates = wanted.duplicate ?? sender.duplicates;
    world.delayMs = wanted.delayMs ?? world.delayMs;
    world.holding = wanted.hold ?? world.holding;
    world.payLaterMs = wanted.payLaterMs ?? world.payLaterMs;
    if (wanted.failApi !== undefined) faults.set(wanted.failApi as Parameters<FaultPlan['set']>[0]);
    if (wanted.conclude !== undefined) {
      const session = store.get('session', wanted.conclude.session);
      if (session === undefined) throw new Problem('not-found');
      concludeSession(world, session, wanted.conclude.outcome);
    }
    for (const id of wanted.resend ?? []) await sender.resend(id);
    if (wanted.release !== undefined)
      await sender.release(
        inOrder(
          state().held.map(({ id }) => id),
          wanted.release,
        ),
      );
    response.json(state());
  });
  return router;
}

function inOrder(held: string[], order: 'in-order' | 'reverse' | 'shuffled' | string[]): string[] {
  if (Array.isArray(order)) return order;
  if (order === 'reverse') return held.reverse();
  if (order === 'in-order') return held;
  return held
    .map((id) => ({ id, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id);
}
