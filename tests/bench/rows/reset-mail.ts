import { join } from 'node:path';
import { type Child, startChild } from '../child.js';
import { closedLoop } from '../load/closed-loop.js';
import { alternate, rateLine } from '../measure/alternate.js';
import type { Row, Sample } from '../row.js';
import { type Loaded, startStandalone } from '../systems.js';

/** Durable writes that a mail of ours cannot do without: the request (token, event), the message in the queue, its leave from the outbox, the mail, the message's end, the claim, the outcome. */
const writes = 7;

export const resetMail: Row = {
  name: 'reset-mail',
  what: `1,000 POST /reset-password until the last mail is at the SMTP server; floor: nodemailer, pooled, and ${writes} durable writes a mail`,
  async run(bench) {
    const count = bench.count(1_000);
    const sink = startChild(bench, 'parts/smtp-counter');
    const smtpUrl = await sink.ask<string>('listen');
    // Cheap hashes: hundreds of users have to be made first, and no password is hashed by what is measured.
    const system = await startStandalone(bench, { SMTP_URL: smtpUrl, BCRYPT_COST: '4' });
    const warmUps = bench.brief ? 0 : 2;
    await createUsers(system, count * (warmUps + bench.rounds));
    for (let round = 0; round < warmUps; round += 1)
      await untilMailed(sink, count, () => requestResets(system, count, round * count));
    const floor = startChild(bench, 'floors/mails');
    await floor.ask('open', { smtpUrl, file: join(bench.folder(), 'floor.db') });
    const found = await alternate(
      bench.rounds,
      () => untilMailed(sink, count, () => floor.ask('send', { count, writes })),
      (round) => untilMailed(sink, count, () => requestResets(system, count, (warmUps + round) * count)),
    );
    return [rateLine('reset → mail', 'mails/s', 0.6, found)];
  },
};

const emailOf = (number: number) => `reset${number}@example.net`;

async function createUsers(system: Loaded, count: number): Promise<void> {
  let made = 0;
  await closedLoop({
    url: `${system.url}/user`,
    method: 'POST',
    connections: 16,
    headers: { 'content-type': 'application/json', cookie: system.cookie },
    next: () => {
      const user = { email: emailOf(made), first_name: 'Ada', last_name: 'L', password: 'analytical engine' };
      made += 1;
      return { body: JSON.stringify(user) };
    },
    status: 201,
    count,
  });
}

async function requestResets(system: Loaded, count: number, from: number): Promise<void> {
  let asked = from;
  await closedLoop({
    url: `${system.url}/reset-password`,
    method: 'POST',
    connections: Math.min(200, count),
    headers: { 'content-type': 'application/json' },
    next: () => ({ body: JSON.stringify({ email: emailOf(asked++) }) }),
    count,
  });
}

async function untilMailed(sink: Child, count: number, work: () => Promise<unknown>): Promise<Sample> {
  const began = Date.now();
  const last = sink.ask<number>('lastOf', count);
  await work();
  const milliseconds = (await last) - began;
  return { rate: (count * 1000) / milliseconds, p50: Number.NaN, p99: Number.NaN };
}
