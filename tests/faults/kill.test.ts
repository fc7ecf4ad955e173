// Nothing lost: the real process is killed while clients create users, reset and change passwords; afterwards the books must balance.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sourceFiles } from '../architecture/import-rule.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { changePassword, createUser, drain, logInAsAdmin, resetPassword, workUntil } from './clients.js';
import { Ledger, type Verdict } from './ledger.js';

const full = process.env.FAULTS === 'full';
const kills = full ? 60 : 6;
const clients = 6;

jest.setTimeout(full ? 30 * 60_000 : 5 * 60_000);

let sink: SmtpSink;
let system: StandaloneProcess;
beforeEach(async () => {
  sink = new SmtpSink();
  await sink.start();
  system = await StandaloneProcess.create({ SMTP_URL: sink.url });
});
afterEach(async () => {
  await system.dispose();
  await sink.stop();
});

function expectBalanced(verdict: Verdict): void {
  expect({
    lost: verdict.lost,
    unexpected: verdict.unexpected,
    reused: verdict.tokensReused,
    copies: verdict.wrongCopies,
  }).toEqual({
    lost: [],
    unexpected: [],
    reused: [],
    copies: [],
  });
}

test(`F1 F2 F3 F5 ${kills} kills at random moments lose nothing that was answered`, async () => {
  const ledger = new Ledger();
  let done = false;
  await system.start();
  const workers = Array.from({ length: clients }, () => workUntil(() => done, system, sink, ledger));
  for (let kill = 0; kill < kills; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1500));
    await system.kill();
    await system.start();
  }
  done = true;
  await Promise.all(workers);
  await drain(system);
  const verdict = await ledger.settle(() => system.client(), sink, system.ends);
  report(`${kills} random kills`, verdict);
  expect(verdict.answered).toBeGreaterThan(kills);
  expectBalanced(verdict);
});

// Every crash point that a service names is visited, read from the sources so that a new one cannot be forgotten.
const root = resolve(__dirname, '../..');
const crashPoints = [
  ...new Set(
    sourceFiles(root, 'services')
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [
        ...readFileSync(resolve(root, file), 'utf8').matchAll(
          /[cC]rashPoint\??\.?\(\s*'((?:create|reset|change)\.[\w.-]+)'/g,
        ),
      ])
      .map((match) => match[1] as string),
  ),
].sort();

test('there are crash points around create, reset and change', () => {
  for (const flow of ['create', 'reset', 'change']) {
    expect(crashPoints.filter((name) => name.startsWith(`${flow}.`)).length).toBeGreaterThanOrEqual(2);
  }
});

test.each(crashPoints)('F2 F3 a crash at %s loses nothing', async (crashPoint) => {
  const ledger = new Ledger();
  await system.start();
  const before = await createUser(ledger, (await logInAsAdmin(system)) as never);
  await system.kill();

  // Dies once at that point, in whichever of the three flows comes by it; then the same clients go on with what they have.
  await system.start({ CRASH_AT: crashPoint });
  const admin = await logInAsAdmin(system);
  if (admin) await createUser(ledger, admin);
  if (system.running) await resetPassword(ledger, system.client(), before);
  if (system.running) await waitForMailOrDeath(before.email);
  if (system.running) await changePassword(ledger, system.client(), sink, before);
  await system.ended();

  await system.start();
  await drain(system);
  await changePassword(ledger, system.client(), sink, before);
  const verdict = await ledger.settle(() => system.client(), sink, system.ends);
  expectBalanced(verdict);
});

async function waitForMailOrDeath(email: string): Promise<void> {
  const giveUpAt = performance.now() + 10_000;
  while (system.running && sink.to(email).length === 0 && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function report(name: string, { lost, unexpected, tokensReused, wrongCopies, ...counts }: Verdict): void {
  process.stdout.write(
    `${name}: ${JSON.stringify({ ...counts, lost: lost.length, unexpected: unexpected.length, tokensReused: tokensReused.length, wrongCopies: wrongCopies.length })}\n`,
  );
}
