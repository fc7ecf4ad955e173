// Many reset requests while the broker is away, with the limits lifted: each is accepted or refused clearly, memory stays bounded, every accepted one is mailed.
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { full } from './books.js';
import { RealSystem } from './real-system.js';

const requests = full ? 10_000 : 99;
/** An account has at most three links that live at once (api.md): each of its requests that is answered with success is one of them, and owes a mail. */
const accounts = Math.ceil(requests / 3);
const AT_ONCE = 16;

jest.setTimeout(full ? 120 * 60_000 : 10 * 60_000);

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

test(`F8 F32 ${requests} reset requests while the broker is away: answered clearly, memory bounded, all accepted ones mailed`, async () => {
  const admin = system.client();
  expect((await admin.post('/login', system.adminCredentials)).status).toBe(200);
  await inLanes(accounts, 10, (n) => createAccount(admin, emailOf(n)));
  await system.drain(600_000);
  const before = system.megabytes();
  const most = { ...before };
  const look = () => {
    for (const [name, megabytes] of Object.entries(system.megabytes()))
      most[name] = Math.max(most[name] ?? 0, megabytes);
  };

  await system.engines.broker.stop();
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
    if (n % 50 === 0) look();
  });
  expect(unclear).toEqual([]);
  const sum = [...accepted.values()].reduce((total, count) => total + count, 0);
  expect(sum).toBeGreaterThan(0);
  // The broker is away: whatever was mailed so far had been asked for earlier.
  expect(system.sink.accepted).toEqual([]);

  const backAt = performance.now();
  await system.engines.broker.start();
  const watching = setInterval(look, 2_000);
  const mailed = () => new Set(system.sink.accepted.map(({ messageId }) => messageId)).size;
  try {
    await eventually('a mail for each', () => mailed() >= sum, full ? 90 * 60_000 : 240_000).catch((error: Error) => {
      throw new Error(`${error.message}: ${mailed()} of ${sum}`);
    });
    await system.drain(600_000);
  } finally {
    clearInterval(watching);
  }
  const ids = new Map<string, Set<string>>();
  for (const { to, messageId } of system.sink.accepted) ids.set(to, (ids.get(to) ?? new Set()).add(messageId));
  const lost = [...accepted].filter(([email, count]) => (ids.get(email)?.size ?? 0) < count);
  const drained = Math.round((performance.now() - backAt) / 1_000);
  console.log(
    JSON.stringify({
      name: `${requests} resets while the broker is away`,
      accounts,
      answers,
      mails: mailed(),
      copies: system.sink.accepted.length - mailed(),
      lost: lost.length,
      deaths: system.deaths(),
      drainedSeconds: drained,
      megabytes: { before, most },
    }),
  );
  expect(lost).toEqual([]);
  expect(system.sink.accepted.length).toBe(mailed());
  expect(system.deaths()).toEqual({});
  const grown = Object.entries(most).map(([name, megabytes]) => [name, megabytes - (before[name] as number)] as const);
  expect(grown.filter(([, megabytes]) => megabytes > 150)).toEqual([]);
});

async function createAccount(admin: ApiClient, email: string): Promise<void> {
  const body = { email, first_name: 'Back', last_name: 'Log', password: 'correct horse battery' };
  expect((await admin.post('/user', body)).status).toBe(201);
}
