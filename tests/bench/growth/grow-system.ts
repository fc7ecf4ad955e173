import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '@latchkey/embedded';
import { searchKeys } from '@latchkey/user';
import { eventually } from '../../support/eventually.js';
import { StandaloneProcess } from '../../support/standalone-process.js';
import type { Bench } from '../bench.js';
import { signedEvent } from '../load/signed-event.js';
import { logIn, webhookSecretOf } from '../systems.js';

/** A standalone start with so many users and what comes with them. */
export interface GrownSystem {
  readonly url: string;
  readonly cookie: string;
  /** Of any of the users. */
  someCredentials(): { email: string; password: string };
  /** Cookie headers of sessions that began now. */
  someSessions(count: number): Promise<string[]>;
}

const emailOf = (number: number) => `growth${number}@example.net`;
type Document = Record<string, unknown>;

/**
 * What a user, its credentials, a session and an applied event look like is taken from those that the system itself has made of its admin and of one
 * webhook, so that the copies have what its models ask for; everybody has the admin's password.
 */
export async function growSystem(bench: Bench, size: number): Promise<GrownSystem> {
  const standalone = await StandaloneProcess.create({ LOG_LEVEL: 'warn' });
  bench.atEnd(() => standalone.dispose());
  await standalone.start();
  await logIn(standalone.url);
  await receiveEvent(standalone);
  await standalone.terminate();

  const file = (service: string) => join(standalone.dataDir, `${service}.db`);
  const first = 1_000_000;
  await copies(file('user'), 'users', size, (admin, at) => {
    const email = emailOf(at);
    const names = { first_name: `Grace${at}`, last_name: `Hopper${at}` };
    const keys = { emailKey: email, ...searchKeys(email, names) };
    return { ...admin, _id: first + at, email, ...names, ...keys, role: 'member' };
  });
  await copies(file('auth'), 'credentials', size, (admin, at) => ({ ...admin, _id: first + at }));
  await copies(file('auth'), 'sessions', size, (session, at) => ({ ...session, _id: newId(), userId: first + at }));
  await copies(file('payment'), 'webhook_events', size, (event) => ({ ...event, _id: `evt_${newId()}` }));

  // Else the disk is still busy with what was loaded when the first flush of a login is measured.
  execFileSync('sync');
  await standalone.start();
  const password = standalone.adminCredentials.password;
  const someCredentials = () => ({ email: emailOf(Math.floor(Math.random() * size)), password });
  return {
    url: standalone.url,
    cookie: await logIn(standalone.url),
    someCredentials,
    async someSessions(count) {
      const cookies: string[] = [];
      while (cookies.length < count) cookies.push(await logIn(standalone.url, someCredentials()));
      return cookies;
    },
  };
}

const newId = () => randomBytes(16).toString('hex');

/** Waits until the processor is done with it, so that copies of it are events of the past. */
async function receiveEvent(standalone: StandaloneProcess): Promise<void> {
  const { body, headers } = signedEvent(webhookSecretOf(standalone), 'customer.deleted');
  const url = `${standalone.url}/webhook/stripe`;
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  if (!answer.ok) throw new Error(`The event was refused: ${answer.status}`);
  const cookie = await logIn(standalone.url);
  await eventually('the event applied', async () => {
    const list = await fetch(`${standalone.url}/webhook-events`, { headers: { cookie } });
    return /"state":"(applied|ignored)"/.test(await list.text());
  });
}

async function copies(file: string, name: string, size: number, copy: (one: Document, at: number) => Document) {
  const connection = await openEmbeddedDatabase({ file });
  try {
    const collection = connection.collection<Document>(name);
    const one = await collection.findOne({});
    if (one === null) throw new Error(`${name} is empty`);
    const batch = 500;
    for (let at = 0; at < size; at += batch) {
      const documents = Array.from({ length: Math.min(batch, size - at) }, (_nothing, more) => copy(one, at + more));
      await collection.insertMany(documents as never[]);
    }
  } finally {
    await connection.close();
  }
}
