import { type DeadLetter, deadLetterApi, type Message } from '@latchkey/contracts';
import { type CallContext, type Clock, Problem, type Route, route } from '@latchkey/kit';
import type { DeadDelivery, MessageQueue } from '@latchkey/messaging';
import type { Connection } from 'mongoose';
import { guardRoutes } from '../guard-database.js';
import { listNewestFirst, type PageWish } from '../list-newest-first.js';
import { type DeadLetterDocument, deadLetterModel } from './dead-letter-model.js';
import { storeDeadLetter } from './store-dead-letter.js';

export interface DeadLetters {
  /** For the consumer: resolves when the dead delivery is durable. */
  store(dead: DeadDelivery): Promise<void>;
  /** Builds the indexes; before the service serves (P16). */
  init(): Promise<void>;
  /** The routes of `deadLetterApi`, for admins. */
  readonly routes: Route[];
  /** Dead letters that nobody replayed yet, for metrics. */
  open(): Promise<number>;
}

/** What a service's consumers could not handle: collection `dead_letters`, kept for `retentionDays`. */
export function createDeadLetters(o: {
  connection: Connection;
  service: string;
  queue: MessageQueue;
  clock: Clock;
  retentionDays: number;
}): DeadLetters {
  const model = deadLetterModel(o.connection);

  function present(document: DeadLetterDocument): DeadLetter {
    return {
      id: document._id,
      service: o.service,
      queue: document.queue,
      event: document.event ?? null,
      reason: document.reason,
      attempts: document.attempts,
      died_at: document.diedAt.toISOString(),
      replayed_at: document.replayedAt?.toISOString() ?? null,
      request_id: document.requestId ?? null,
    };
  }

  async function find(id: string): Promise<DeadLetterDocument> {
    const document = await model.findOne({ _id: id }).lean<DeadLetterDocument>();
    if (document === null) throw new Problem('not-found');
    return document;
  }

  async function list(input: PageWish & { readonly request_id?: string | undefined }) {
    const only = { requestId: input.request_id };
    const { page, next } = await listNewestFirst(model, 'diedAt', input, { only, leftOut: ['message', 'body'] });
    return { dead_letters: page.map(present), next };
  }

  /** Puts the message back first and marks it then: a crash in between leads to a second replay, which handlers take for the duplicate that it is. */
  async function replay(id: string): Promise<{ message: string }> {
    const document = await find(id);
    const answer = { message: 'The message is back in its queue' };
    if (document.replayedAt) return answer;
    if (!document.message) throw new Problem('not-replayable', { detail: 'The message could not be read' });
    const message = document.message as Message;
    if (message.notAfter !== undefined && Date.parse(message.notAfter) <= o.clock.now()) {
      throw new Problem('not-replayable', { detail: 'The message has outlived its meaning' });
    }
    await putBack(document.queue, message);
    // One that died again in the meantime is another death and stays open.
    await model.updateOne({ _id: id, diedAt: document.diedAt }, { $set: { replayedAt: new Date(o.clock.now()) } });
    return answer;
  }

  async function putBack(queue: string, message: Message): Promise<void> {
    try {
      await o.queue.redeliver(queue, message);
    } catch (error) {
      throw new Problem('service-unavailable', { detail: 'The queue is unavailable', retryAfter: 5, cause: error });
    }
  }

  return {
    store: storeDeadLetter({ model, clock: o.clock, retentionDays: o.retentionDays }),
    async init() {
      await model.init();
    },
    open: () => model.countDocuments({ replayedAt: null }),
    routes: guardRoutes([
      route(deadLetterApi.listDeadLetters, ({ query }, context) => forAdmin(context, () => list(query))),
      route(deadLetterApi.showDeadLetter, ({ params }, context) =>
        forAdmin(context, async () => ({ dead_letter: present(await find(params.id)) })),
      ),
      route(deadLetterApi.replayDeadLetter, ({ params }, context) => forAdmin(context, () => replay(params.id))),
    ]),
  };
}

/** The gateway asks for an admin already; the service does not take its word for it. */
async function forAdmin<T>(context: CallContext, work: () => Promise<T>): Promise<T> {
  if (context.principal === null) throw new Problem('session-required');
  if (context.principal.role !== 'admin') throw new Problem('forbidden');
  return work();
}
