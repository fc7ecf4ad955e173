import { z } from 'zod';
import { deadLetter } from '../dead-letter.js';
import { defineEndpoint } from '../endpoint.js';
import { pageLimit, requestId } from '../fields.js';
import { systemHealth } from '../health.js';
import { mail, mailState } from '../mail.js';

const id = z.strictObject({ id: z.string().min(1).max(200) });
/** Newest first; `after`: the `next` of the page before. */
const page = { limit: pageLimit, after: z.string().min(1).max(2000).optional() };
const adminRefusals = ['validation-failed', 'session-required', 'forbidden', 'service-unavailable'] as const;

export const showHealth = defineEndpoint({
  method: 'GET',
  path: '/health',
  limited: false,
  summary: 'Health of the system',
  description: '`ok` or `degraded` with 200; 503 in the same shape when a service or its database is down.',
  tag: 'operations',
  access: 'public',
  success: { status: 200, description: 'It serves', body: systemHealth },
  otherAnswers: [{ status: 503, description: 'A service or its database is down', body: systemHealth }],
  refusals: [],
});

export const showOpenApi = defineEndpoint({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This interface as an OpenAPI 3.1 document',
  tag: 'operations',
  access: 'public',
  success: { status: 200, description: 'The document', body: z.looseObject({ openapi: z.string() }) },
  refusals: [],
});

export const listMails = defineEndpoint({
  method: 'GET',
  path: '/mails',
  summary: 'The delivery log',
  description:
    '`request_id`: only what that request led to, which is how a reset is followed to the mail server’s answer. `state`: only mails in it.',
  tag: 'admin',
  access: 'admin',
  query: z.strictObject({ ...page, request_id: requestId.optional(), state: mailState.optional() }),
  success: {
    status: 200,
    description: 'Newest first',
    body: z.object({ mails: z.array(mail), next: z.string().nullable() }),
  },
  refusals: adminRefusals,
});

export const showMail = defineEndpoint({
  method: 'GET',
  path: '/mails/:id',
  summary: 'One mail of the delivery log',
  tag: 'admin',
  access: 'admin',
  params: id,
  success: { status: 200, description: 'The mail', body: z.object({ mail }) },
  refusals: [...adminRefusals, 'not-found'],
});

export const replayMail = defineEndpoint({
  method: 'POST',
  path: '/mails/:id/replay',
  summary: 'Send a mail again',
  description: 'A mail that carries a link is sent with a fresh one.',
  tag: 'admin',
  access: 'admin',
  params: id,
  success: { status: 200, description: 'It is on its way', body: z.object({ message: z.string() }) },
  refusals: [...adminRefusals, 'not-found', 'not-replayable', 'rate-limited'],
});

export const listDeadLetters = defineEndpoint({
  method: 'GET',
  path: '/dead-letters',
  summary: 'Messages that could not be handled',
  description: 'Of all services. `request_id`: only what that request led to.',
  tag: 'admin',
  access: 'admin',
  query: z.strictObject({ ...page, request_id: requestId.optional() }),
  success: {
    status: 200,
    description: 'Newest first',
    body: z.object({ dead_letters: z.array(deadLetter), next: z.string().nullable() }),
  },
  refusals: adminRefusals,
});

export const showDeadLetter = defineEndpoint({
  method: 'GET',
  path: '/dead-letters/:id',
  summary: 'One dead letter',
  tag: 'admin',
  access: 'admin',
  params: id,
  success: { status: 200, description: 'The dead letter', body: z.object({ dead_letter: deadLetter }) },
  refusals: [...adminRefusals, 'not-found'],
});

export const replayDeadLetter = defineEndpoint({
  method: 'POST',
  path: '/dead-letters/:id/replay',
  summary: 'Handle a dead letter once more',
  tag: 'admin',
  access: 'admin',
  params: id,
  success: { status: 200, description: 'It is back in its queue', body: z.object({ message: z.string() }) },
  refusals: [...adminRefusals, 'not-found', 'not-replayable'],
});
