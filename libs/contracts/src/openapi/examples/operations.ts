import type { DeadLetter } from '../../dead-letter.js';
import type { SystemHealth } from '../../health.js';
import type { Mail } from '../../mail.js';
import type * as operations from '../../public/operations.js';
import type { ExamplesOf } from '../operation-example.js';
import { ada, requestId } from './values.js';

const healthy: SystemHealth = {
  status: 'ok',
  services: { auth: { status: 'ok', checks: { database: { status: 'ok' }, queue: { status: 'ok' } } } },
};

const unhealthy: SystemHealth = {
  status: 'down',
  services: { auth: { status: 'down', checks: { database: { status: 'down', detail: 'did not answer in time' } } } },
};

const mail: Mail = {
  id: '0197a2d0-6a5e-7c31-9f0e-2b4d6f8091a3',
  template: 'password-reset',
  to: ada.email,
  user_id: ada.id,
  subject: 'Reset your Latchkey password',
  state: 'sent',
  message_id: '<0197a2d0-6a5e-7c31-9f0e-2b4d6f8091a3@id.example.com>',
  attempts: [
    {
      at: '2027-01-15T08:00:01.120Z',
      outcome: 'temporary-failure',
      code: '451',
      response: '451 4.7.1 Greylisted, try again later',
    },
    { at: '2027-01-15T08:01:02.480Z', outcome: 'accepted', code: '250', response: '250 2.0.0 Ok: queued as 4XyZ12' },
  ],
  created_at: '2027-01-15T08:00:00.730Z',
  next_attempt_at: null,
  sent_at: '2027-01-15T08:01:02.480Z',
  not_after: '2027-01-15T08:30:00.000Z',
  request_id: requestId,
  replay_of: null,
};

const letter: DeadLetter = {
  id: 'mailer.send-receipt:0197a2d0-7b11-7e02-8c3d-5e6f708192a3',
  service: 'mailer',
  queue: 'mailer.send-receipt',
  event: 'payment.checkout-settled.v1',
  reason: 'payload.currency: must be a string',
  attempts: 1,
  died_at: '2027-01-15T08:03:12.000Z',
  replayed_at: null,
  request_id: requestId,
};

export const operationExamples: ExamplesOf<typeof operations> = {
  showHealth: { answer: healthy, others: { 503: unhealthy } },
  showOpenApi: { answer: { openapi: '3.1.0' } },
  listMails: { query: { request_id: requestId }, answer: { mails: [mail], next: null } },
  showMail: { params: { id: mail.id }, answer: { mail } },
  replayMail: { params: { id: mail.id }, answer: { message: 'The mail is on its way.' } },
  listDeadLetters: { query: { limit: '50' }, answer: { dead_letters: [letter], next: null } },
  showDeadLetter: { params: { id: letter.id }, answer: { dead_letter: letter } },
  replayDeadLetter: { params: { id: letter.id }, answer: { message: 'The message is back in its queue.' } },
};
