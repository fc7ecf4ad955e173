// No room on the disk: under the logs of all six, under the broker, under the database.
import mongoose from 'mongoose';
import { eventually } from '../../support/eventually.js';
import { createUser, logInAsAdmin, resetPassword } from '../clients.js';
import { Ledger } from '../ledger.js';
import { type Books, full, keepBooks } from './books.js';
import { RealSystem } from './real-system.js';
import { processNames } from './six-processes.js';
import { Watch } from './watch.js';

const times = full ? 10 : 1;

jest.setTimeout(full ? 30 * 60_000 : 8 * 60_000);

let system: RealSystem;
beforeAll(async () => {
  system = await RealSystem.start();
});
afterAll(() => system?.dispose());

const healthOf = async (url: string) =>
  ((await (await fetch(`${url}/health`, { signal: AbortSignal.timeout(10_000) })).json()) as { status: string }).status;

const says = (status: string, url = system.url) =>
  eventually(`${url} says it is ${status}`, async () => (await healthOf(url).catch(() => '')) === status, 60_000);

const workOn = ({ ledger }: Books, requests: number) => {
  const before = ledger.answered;
  return eventually('work', () => ledger.answered > before + requests, full ? 600_000 : 120_000);
};

test('F22 a full disk under the logs of all six processes stops nothing', async () => {
  await Promise.all(processNames.map((name) => system.processes[name].relive({ outputTo: '/dev/full' })));
  await system.ready();
  const before = system.deaths();
  await keepBooks(system, 'F22 ENOSPC under the logs', async (books) => {
    await workOn(books, full ? 300 : 15);
  });
  expect(system.deaths()).toEqual(before);
  await Promise.all(processNames.map((name) => system.processes[name].relive()));
  const admin = await eventually('an admin session', () => logInAsAdmin(system), 60_000);
  expect((await createUser(new Ledger(), admin)).created).toBe('ok');
});

test(`F11 F22 the broker raises its disk alarm ${times} times: requests are accepted, mails wait until there is room`, async () => {
  const { broker } = system.engines;
  const before = system.deaths();
  await keepBooks(
    system,
    'F22 disk alarm of the broker',
    async (books) => {
      for (let time = 0; time < times; time += 1) {
        await workOn(books, 3);
        await system.trouble(async () => {
          // More than any disk has, so that the broker finds what it has too little.
          await broker.ctl('set_disk_free_limit', '100000000000000');
          try {
            await says('degraded');
            const admin = await eventually('an admin session', () => logInAsAdmin(system), 60_000);
            const user = await createUser(books.ledger, admin);
            await resetPassword(books.ledger, system.client(), user);
            await workOn(books, 5);
            expect(user).toMatchObject({ created: 'ok', resetsAnswered: 1 });
            expect(system.sink.to(user.email)).toEqual([]);
          } finally {
            await broker.ctl('set_disk_free_limit', '1000000');
          }
        });
        await system.ready();
      }
    },
    () => ({ times }),
  );
  expect(system.deaths()).toEqual(before);
});

/** Fills the database's disk, looks on, makes room again. Nobody is told anything but a clear "not now". */
async function withoutRoom(
  name: string,
  fill: () => Promise<void>,
  look: () => Promise<unknown>,
  empty: () => Promise<void>,
) {
  const watch = new Watch(system);
  const before = system.deaths();
  await keepBooks(
    system,
    name,
    async (books) => {
      for (let time = 0; time < times; time += 1) {
        await workOn(books, 3);
        await system.trouble(async () => {
          await fill();
          watch.begin();
          try {
            await look();
            await eventually('requests that meet the full disk', () => watch.asked >= 6, 120_000);
          } finally {
            await watch.end();
            await empty();
          }
        });
        await system.ready();
      }
    },
    () => ({ times, ...watch.facts() }),
  );
  expect(watch.unclear).toEqual([]);
  expect(watch.statuses[503]).toBeGreaterThan(0);
  expect(system.deaths()).toEqual(before);
}

test(`F22 the database finds no room to write ${times} times and ends: 503 and not ready until it is back, nothing lost`, async () => {
  const { database } = system.engines;
  await withoutRoom(
    'F22 no room under the database',
    () => database.fillDisk(),
    async () => {
      await database.ended;
      await says('down', system.processes.auth.url);
    },
    () => database.restart(),
  );
});

test(`F22 the database lives on and answers each write with OutOfDiskSpace, ${times} times (its answer is injected): 503, degraded, nothing half written`, async () => {
  const client = new mongoose.mongo.MongoClient(system.engines.database.uri);
  const failWrites = (mode: 'alwaysOn' | 'off') =>
    client.db('admin').command({
      configureFailPoint: 'failCommand',
      mode,
      data: { failCommands: ['insert', 'update', 'findAndModify', 'delete'], errorCode: 14031 },
    });
  try {
    await withoutRoom(
      'F22 OutOfDiskSpace injected',
      async () => void (await failWrites('alwaysOn')),
      () => says('degraded'),
      async () => void (await failWrites('off')),
    );
  } finally {
    await client.close();
  }
});
