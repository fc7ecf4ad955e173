// The mailer dies or is told to stop in the middle of its work.
import { passwordChanged } from '@latchkey/contracts';
import { encodeMessage, exchange } from '@latchkey/messaging';
import { type ConfirmChannel, connect } from 'amqplib';
import { eventually } from '../../support/eventually.js';
import { full, print } from './books.js';
import { RealSystem } from './real-system.js';

const deaths = full ? 50 : 2;
const burst = full ? 1_000 : 150;
const stops = full ? 10 : 2;

jest.setTimeout(full ? 30 * 60_000 : 5 * 60_000);

let system: RealSystem;
beforeAll(async () => {
  system = await RealSystem.start();
});
afterAll(() => system?.dispose());
beforeEach(() => {
  system.sink.accepted.length = 0;
});

let serial = 0;

/** Tells the mailer of so many changed passwords, past auth; resolves when the broker has confirmed them. Gives the addresses. */
async function tellOfChanges(count: number): Promise<string[]> {
  const connection = await connect(system.amqpUrl);
  try {
    const channel: ConfirmChannel = await connection.createConfirmChannel();
    const addresses = Array.from({ length: count }, () => `told${++serial}@example.net`);
    for (const to of addresses) {
      const now = new Date().toISOString();
      const message = {
        ...{ id: `told-${to}`, name: passwordChanged.name, aggregateId: '1', sequence: 1, occurredAt: now },
        correlationId: 'fault-test',
        payload: { userId: 1, to, name: 'Ada', languages: null, changedAt: now, changedFrom: null },
      };
      channel.publish(exchange, passwordChanged.name, encodeMessage(message), {
        persistent: true,
        messageId: message.id,
      });
    }
    await channel.waitForConfirms();
    return addresses;
  } finally {
    await connection.close();
  }
}

/** How many mails came to each address, and how many of them were different ones. */
const copiesTo = (addresses: readonly string[]) =>
  addresses.map((address) => {
    const mails = system.sink.to(address);
    return { copies: mails.length, distinct: new Set(mails.map(({ messageId }) => messageId)).size };
  });

test(`F5 the mailer killed ${deaths} times as its server says 250: one copy more at most, under the same Message-ID`, async () => {
  const { mailer } = system.processes;
  const addresses: string[] = [];
  let killed: string[] = [];
  let dead = 0;
  for (let death = 0; death < deaths; death += 1) {
    const lives = mailer.ends.length;
    const kill = () => process.kill(mailer.pid, 'SIGKILL');
    system.sink.whenAccepted = ({ to }) => {
      system.sink.whenAccepted = () => undefined;
      killed = [...killed, to];
      // Before the sender reads the 250, or when it may have.
      if (death % 2 === 0) kill();
      else setImmediate(() => setImmediate(kill));
    };
    addresses.push(...(await tellOfChanges(5)));
    await mailer.ended(lives);
    // Nothing is under way when the next one dies, so that each mail meets one death at most.
    dead += (await system.drain()).dead;
  }
  const counts = copiesTo(addresses);
  const extra = counts.reduce((sum, { copies, distinct }) => sum + copies - distinct, 0);
  print('F5 kill at 250', { deaths, mails: addresses.length, extraCopies: extra, dead });
  expect(killed).toHaveLength(deaths);
  expect(counts.filter(({ distinct }) => distinct !== 1)).toEqual([]);
  expect(Math.max(...counts.map(({ copies }) => copies))).toBeLessThanOrEqual(2);
  // Up to five dialogues were under way at each death.
  expect(extra).toBeLessThanOrEqual(5 * deaths);
  expect(dead).toBe(0);
});

test(`F6 SIGTERM ${stops} times during ${burst} messages: what is under way is finished, nothing comes twice`, async () => {
  const { mailer } = system.processes;
  const before = mailer.log().length;
  mailer.arm(...Array.from({ length: stops + 1 }, () => ({ settings: { LOG_LEVEL: 'debug' } })));
  await mailer.kill('SIGTERM');
  const addresses: string[] = [];
  for (let stop = 0; stop < stops; stop += 1) {
    await mailer.ready(mailer.ends.length);
    addresses.push(...(await tellOfChanges(burst / stops)));
    const sent = system.sink.accepted.length;
    await eventually('mails under way', () => system.sink.accepted.length > sent + 5, 60_000);
    await mailer.kill('SIGTERM');
  }
  const { dead } = await system.drain();
  const counts = copiesTo(addresses);
  const lines = mailer.log().slice(before).split('\n');
  const handled = lines.filter((line) => line.includes('"msg":"message handled"'));
  const twice = handled.map((line) => JSON.parse(line)).filter(({ deliveries }) => deliveries > 1);
  // What the log says of each of them, so that a failure tells why.
  const redelivered = twice.map(({ eventId }) => lines.filter((line) => line.includes(`"${eventId}"`)));
  const ends = mailer.ends.slice(-stops).map(({ how }) => how);
  const copies = counts.reduce((sum, one) => sum + one.copies, 0);
  print('F6 SIGTERM of the mailer', {
    stops,
    messages: burst,
    mails: copies,
    redelivered: redelivered.length,
    ends,
    dead,
  });
  expect(counts.filter(({ copies, distinct }) => copies !== 1 || distinct !== 1)).toEqual([]);
  expect(handled).toHaveLength(burst);
  expect(redelivered).toEqual([]);
  expect(ends).toEqual(Array(stops).fill('0'));
  expect(dead).toBe(0);
});
