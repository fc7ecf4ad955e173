// Many reset requests while the broker is away, with the limits lifted: each is accepted or refused clearly, memory stays bounded, every accepted one is mailed.
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { full, print } from './books.js';
import { RealSystem } from './real-system.js';

const requests = full ? 10_000 : 99;
/** An account has at most three links that live at once (api.md): each of its requests that is answered with success is one of them, and owes a mail. */
const accounts = Math.ceil(requests / 3);
const AT_ONCE = 16;

jest.setTimeout(full ? 30 * 60_000 : 10 * 60_000);

let system: RealSystem;
beforeAll(async () => {
  // A link outlives the wait for its mail, however slow the machine is.
  system = await RealSystem.start({ RESET_TOKEN_TTL: '86400', LOG_LEVEL: 'warn' });
});
afterAll(() => system?.dispose());

/** `work` for each number below `count`, a few at a time. */
async function inLanes(count: number, lanes: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const emailOf = (n: number) => `backlog${n % accounts}@example.net`;

const seconds = (from: number) => Math.round((performance.now() - from) / 1_000);

test(`F8 F32 ${requests} reset requests while the broker is away: answered clearly, memory bounded, all accepted ones mailed`, async () => {
  const admin = system.client();
  expect((await admin.post('/login', system.adminCredentials)).status).toBe(200);
  const beganAt = performance.now();
  await inLanes(accounts, AT_ONCE, (n) => createAccount(admin, emailOf(n)));
  await system.drain(600_000);
  const created = seconds(beganAt);
  const memory = new Memory(system);
  const mailed = new Set<string>();
  system.sink.whenAccepted = ({ messageId }) => void mailed.add(messageId);

  await system.engines.broker.stop();
  const awayAt = performance.now();
  const { accepted, answers, unclear } = await askForAll(memory);
  const asked = seconds(awayAt);
  expect(unclear).toEqual([]);
  const owed = [...accepted.values()].reduce((total, count) => total + count, 0);
  expect(owed).toBeGreaterThan(0);
  // The broker is away: whatever was mailed so far had been asked for earlier.
  expect(system.sink.accepted).toEqual([]);

  const backAt = performance.now();
  await system.engines.broker.start();
  const watching = setInterval(() => memory.look(), 2_000);
  try {
    await eventually('a mail for each', () => mailed.size >= owed, full ? 20 * 60_000 : 240_000).catch(
      (error: Error) => {
        throw new Error(`${error.message}: ${mailed.size} of ${owed}`);
      },
    );
    await system.drain(600_000);
  } finally {
    clearInterval(watching);
  }
  const drained = seconds(backAt);
  const ids = new Map<string, Set<string>>();
  for (const { to, messageId } of system.sink.accepted) ids.set(to, (ids.get(to) ?? new Set()).add(messageId));
  const lost = [...accepted].filter(([email, count]) => (ids.get(email)?.size ?? 0) < count);
  const grown = memory.grown();
  print(`F8 F32 ${requests} resets while the broker is away`, {
    ...{ accounts, answers, accepted: owed, refused: requests - owed },
    ...{ mails: mailed.size, copies: system.sink.accepted.length - mailed.size, lost: lost.length },
    ...{ deaths: system.deaths(), seconds: { created, asked, drained }, megabytesGrown: grown },
  });
  expect(lost).toEqual([]);
  expect(system.sink.accepted.length).toBe(mailed.size);
  expect(system.deaths()).toEqual({});
  expect(Object.entries(grown).filter(([, megabytes]) => megabytes > 150)).toEqual([]);
});

/** What everybody who asked was told; `accepted` counts by address. */
async function askForAll(memory: Memory) {
  const answers: Record<string, number> = {};
  const unclear: string[] = [];
  const accepted = new Map<string, number>();
  await inLanes(requests, AT_ONCE, async (n) => {
    const email = emailOf(n);
    const answer = await system
      .client()
      .post('/reset-password', { email })
      .catch((error: Error) => error);
    const status = answer instanceof Error ? 'no answer' : String(answer.status);
    answers[status] = (answers[status] ?? 0) + 1;
    if (status === '200') accepted.set(email, (accepted.get(email) ?? 0) + 1);
    else if (answer instanceof Error || answer.headers.get('retry-after') === null || !/^(429|503)$/.test(status))
      unclear.push(`${status}: ${answer instanceof Error ? answer.message : answer.text}`);
    if (n % 100 === 0) memory.look();
  });
  return { answers, unclear, accepted };
}

/** The most that each process held at any look, beside what it held at first. */
class Memory {
  readonly #before: Record<string, number>;
  readonly #most: Record<string, number>;

  constructor(readonly system: RealSystem) {
    this.#before = system.megabytes();
    this.#most = { ...this.#before };
  }

  look(): void {
    for (const [name, megabytes] of Object.entries(this.system.megabytes()))
      this.#most[name] = Math.max(this.#most[name] ?? 0, megabytes);
  }

  grown(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.#most).map(([name, most]) => [name, most - (this.#before[name] as number)]),
    );
  }
}

async function createAccount(admin: ApiClient, email: string): Promise<void> {
  const body = { email, first_name: 'Back', last_name: 'Log', password: 'correct horse battery' };
  expect((await admin.post('/user', body)).status).toBe(201);
}
