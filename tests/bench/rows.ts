import type { Row } from './row.js';
import { createUser, login } from './rows/hashing.js';
import { loginStorm } from './rows/login-storm.js';
import { memory } from './rows/memory.js';
import { outbox } from './rows/outbox.js';
import { resetMail } from './rows/reset-mail.js';
import { ownRecord, sessionCheck, sessionCheckDistributed } from './rows/session-check.js';
import { start } from './rows/start.js';
import { webhook, webhookDistributed } from './rows/webhook.js';

/** Every row, in the order of the table. `npm run bench -- <name> …` runs those named. */
export const rows: readonly Row[] = [
  sessionCheck,
  ownRecord,
  sessionCheckDistributed,
  loginStorm,
  login,
  createUser,
  webhook,
  webhookDistributed,
  resetMail,
  outbox,
  start,
  memory,
];
