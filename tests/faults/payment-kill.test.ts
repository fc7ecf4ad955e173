// F4: the process dies between the webhook's 200 and its effect, again and again; every payment must end paid, with one receipt.
import { eventually } from '../support/eventually.js';
import { pressOnPaymentPage, priceOf } from '../support/shopper.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { drain } from './clients.js';

const full = process.env.FAULTS === 'full';
const kills = full ? 50 : 6;
/** After the event is stored and answered, before and in the middle of what it brings about. */
const crashPoints = ['settle.before', 'webhook.stored', undefined];

jest.setTimeout(full ? 30 * 60_000 : 5 * 60_000);

let sink: SmtpSink;
let system: StandaloneProcess;
beforeAll(async () => {
  sink = new SmtpSink();
  await sink.start();
  system = await StandaloneProcess.create({ SMTP_URL: sink.url, RECONCILE_INTERVAL: '5' });
});
afterAll(async () => {
  await system.dispose();
  await sink.stop();
});

test(`F4 ${kills} kills between a webhook's arrival and its effect lose no payment and double none`, async () => {
  const bought: { id: string; buyer: string }[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const crashPoint = crashPoints[kill % crashPoints.length];
    // Lets what the last life left behind come to its end first, so that each kill meets a payment of its own.
    await system.start();
    await receiptSent(bought.at(-1));
    if (crashPoint) {
      await system.terminate();
      await system.start({ CRASH_AT: crashPoint });
    }
    const buyer = `buyer${kill}@example.com`;
    const { body } = await system.client().get(`/checkout?price=${await priceOf(system.client())}`);
    bought.push({ id: body.checkout.id, buyer });
    // The simulator lives in the process that dies: its answer may never come, and its own books say whether it was paid.
    await pressOnPaymentPage(body.checkout.url, 'pay', buyer).catch(() => undefined);
    if (crashPoint) await system.ended();
    else {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
      await system.kill();
    }
  }
  await system.start();
  for (const purchase of bought) await receiptSent(purchase);
  await drain(system);
  for (const { id } of bought) expect((await system.client().get(`/checkout/${id}`)).body.checkout.status).toBe('paid');

  const receipts = bought.map(({ id, buyer }) => new Set(receiptsOf(id, buyer).map(({ messageId }) => messageId)).size);
  const copies = bought.map(({ id, buyer }) => receiptsOf(id, buyer).length);
  process.stdout.write(
    `${kills} kills: ${JSON.stringify({ paid: bought.length, receipts: receipts.length, extraCopies: sum(copies) - sum(receipts) })}\n`,
  );
  expect(receipts).toEqual(bought.map(() => 1));
  expect(Math.max(...copies)).toBeLessThanOrEqual(2);
});

/** Waits for the effect. Never by `GET /checkout/:id`, which would settle the checkout itself and hide a lost event. */
async function receiptSent(purchase: { id: string; buyer: string } | undefined): Promise<void> {
  if (purchase === undefined) return;
  const { id, buyer } = purchase;
  await eventually(`receipt of ${id}`, () => receiptsOf(id, buyer).length > 0, 30_000);
}

function receiptsOf(id: string, buyer: string) {
  return sink.to(buyer).filter((mail) => mail.text.includes(id));
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
