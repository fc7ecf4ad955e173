import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  bindings,
  type EventDefinition,
  type Mail,
  type Message,
  type mailAbandoned,
  mailerApi,
  type PayloadOf,
} from '@latchkey/contracts';
import { openEmbeddedQueue } from '@latchkey/embedded';
import { createClient, createLogger, createSealer, directTransport, systemContext } from '@latchkey/kit';
import { openTestDatabase, storedText } from '@latchkey/tests';
import type { MailerConfig } from '../config.js';
import { createSmtpTransport, type SmtpLimits } from '../mail-transport.smtp.js';
import { createMailer, type MailerDeps } from '../mailer.js';
import { loadTexts } from '../texts/load-texts.js';
import { eventually } from './eventually.js';
import { type SmtpScript, scriptedSmtp } from './scripted-smtp.js';

const usualLimits: SmtpLimits = { connection: 1_000, greeting: 1_000, socket: 1_000, dns: 1_000, overall: 3_000 };
const sealingKeys = ['sealing key of the mailer tests, long enough'];
export const sealer = createSealer(sealingKeys);

type Abandoned = PayloadOf<typeof mailAbandoned>;

/** A whole mailer on a database and a queue of its own, with an SMTP server that says what the test wants and a clock that the test turns. */
export async function startMailer(script: SmtpScript = {}, limits: Partial<SmtpLimits> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'mailer-'));
  let offset = 0;
  const clock = { now: () => Date.now() + offset };
  const logs: string[] = [];
  const destination = new PassThrough().on('data', (line) => logs.push(String(line)));
  const logger = createLogger({ service: 'mailer', level: 'debug', destination });
  const smtp = await scriptedSmtp(script);
  const asked: { operation: string; input: unknown }[] = [];
  const abandoned: Abandoned[] = [];
  const config: MailerConfig = {
    publicUrl: 'http://localhost:3000',
    resetLinkUrl: null,
    mailFrom: 'Latchkey <no-reply@latchkey.test>',
    sealingKeys,
    retentionDays: 30,
    brand: { name: 'Latchkey', color: '#3454d1', logo: null },
    language: null,
    texts: loadTexts(null),
  };

  /** A neighbour that notes what it is asked and agrees to everything. */
  const neighbour = <C>() =>
    new Proxy({} as object, {
      get: (_target, operation) => async (input: unknown) => {
        asked.push({ operation: String(operation), input });
        return { message: 'on its way' };
      },
    }) as C;

  async function open() {
    const connection = await openTestDatabase({ file: join(directory, 'mailer.db') });
    const queue = openEmbeddedQueue({ file: join(directory, 'queue.db'), bindings, clock, logger });
    await queue.start();
    const transport = createSmtpTransport({ url: smtp.url, clock, limits: { ...usualLimits, ...limits } });
    const deps = {
      config,
      logger,
      clock,
      connection,
      queue,
      transport,
      auth: neighbour<MailerDeps['auth']>(),
      users: neighbour<MailerDeps['users']>(),
    };
    const mailer = createMailer(deps);
    await mailer.start();
    await queue.consume(bindings.restorePassword.queue, {
      prefetch: 1,
      onDead: async () => undefined,
      onDelivery: async ({ body }) => {
        abandoned.push((JSON.parse(Buffer.from(body).toString()) as Message<Abandoned>).payload);
        return { kind: 'done' };
      },
    });
    return { connection, queue, mailer };
  }

  let running = await open();
  const api = createClient(mailerApi, directTransport({ routes: () => running.mailer.routes, clock }));
  const context = () => systemContext({ clock });

  async function close() {
    await running.mailer.stop();
    await running.queue.stop();
    await running.connection.close();
  }

  return {
    smtp,
    logs,
    asked,
    abandoned,
    api,
    context,
    get connection() {
      return running.connection;
    },
    get mailer() {
      return running.mailer;
    },
    turnClock(seconds: number) {
      offset += seconds * 1000;
    },
    inSeconds: (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString(),
    async publish<E extends EventDefinition>(
      definition: E,
      payload: PayloadOf<E>,
      more: { id?: string; notAfter?: string } = {},
    ) {
      const id = more.id ?? randomUUID();
      const occurredAt = new Date(clock.now()).toISOString();
      const message = {
        id,
        name: definition.name,
        aggregateId: '7',
        sequence: 1,
        occurredAt,
        correlationId: `request-${id}`,
        payload,
      };
      await running.queue.publish({ ...message, ...(more.notAfter !== undefined && { notAfter: more.notAfter }) });
      return id;
    },
    async mail(id: string): Promise<Mail> {
      return (await api.showMail({ params: { id } }, context())).mail;
    },
    /** Waits until the mail has reached one of the states. */
    async reaches(id: string, ...states: Mail['state'][]): Promise<Mail> {
      return eventually(async () => {
        const { mail } = await api.showMail({ params: { id } }, context());
        if (!states.includes(mail.state))
          throw new Error(`the mail is ${mail.state}: ${JSON.stringify(mail.attempts)}`);
        return mail;
      }, 25);
    },
    /** Every byte of the database and the queue. */
    async dump(): Promise<string> {
      const files = (await readdir(directory)).map((file) => readFile(join(directory, file), 'latin1'));
      return (await Promise.all([...files, storedText(running.connection)])).join('');
    },
    close,
    async reopen() {
      running = await open();
    },
    async end() {
      // First the server: a dialogue that hangs ends with its connection.
      await smtp.close();
      await close();
      await rm(directory, { recursive: true });
    },
  };
}

export type TestMailer = Awaited<ReturnType<typeof startMailer>>;
