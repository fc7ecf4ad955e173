import { createLogger, type Logger } from '@latchkey/kit';
import type { MailLeases } from './mail-leases.js';
import type { MailDocument } from './models/mail.js';
import { createSender, type SenderDeps } from './sender.js';
import { eventually } from './testing/eventually.js';

const logger: Logger = createLogger({ service: 'sender-test', level: 'silent' });
const clock = { now: () => 0 };

/** Leases over a list of ids; `held` is what each renewal answers. */
function leasesOver(ids: string[], held = () => true): MailLeases {
  const waiting = new Set(ids);
  return {
    findDue: async (_now, limit) => [...waiting].slice(0, limit),
    claim: async (id) => (waiting.delete(id) ? ({ _id: id } as MailDocument) : null),
    renew: async () => held(),
  };
}

const until = (signal: AbortSignal) =>
  new Promise<'requeue'>((resolve) => signal.addEventListener('abort', () => resolve('requeue')));

function senderWith(deps: Partial<SenderDeps> & Pick<SenderDeps, 'leases' | 'deliver'>) {
  const recorded: string[] = [];
  const record: SenderDeps['record'] = async (mail, _owner, outcome) => {
    recorded.push(`${mail._id} ${outcome === 'requeue' ? outcome : String(outcome.$set?.state)}`);
  };
  return { sender: createSender({ record, clock, logger, ...deps }), recorded };
}

test('F18 no more dialogues at once than its width, and every mail gets its turn', async () => {
  let open = 0;
  let most = 0;
  const ids = Array.from({ length: 40 }, (_, n) => `mail-${n}`);
  const { sender, recorded } = senderWith({
    leases: leasesOver(ids),
    async deliver() {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return { $set: { state: 'sent' } };
    },
  });
  await sender.start();
  await eventually(() => expect(recorded).toHaveLength(40));
  await sender.stop();
  expect(most).toBe(5);
});

test('F32 a backlog is read page by page, not anew for every mail; what others have taken is passed over', async () => {
  const ids = Array.from({ length: 250 }, (_, n) => `mail-${n}`);
  const leases = leasesOver(ids);
  let reads = 0;
  const { sender, recorded } = senderWith({
    leases: {
      ...leases,
      findDue: (now, limit) => {
        reads += 1;
        return leases.findDue(now, limit);
      },
      claim: async (id, owner, now) => {
        const mail = await leases.claim(id, owner, now);
        return id.endsWith('7') ? null : mail;
      },
    },
    deliver: async () => ({ $set: { state: 'sent' } }),
  });
  await sender.start();
  await eventually(() => expect(recorded).toHaveLength(225));
  await sender.stop();
  expect(new Set(recorded).size).toBe(225);
  expect(reads).toBeLessThan(20);
});

test('P30 one mail whose sending throws does not stop the others', async () => {
  const { sender, recorded } = senderWith({
    leases: leasesOver(['bad', 'good']),
    async deliver({ _id }) {
      if (_id === 'bad') throw new Error('a fault of ours');
      return { $set: { state: 'sent' } };
    },
  });
  await sender.start();
  await eventually(() => expect(recorded).toEqual(['good sent']));
  await sender.stop();
});

describe('with a turned clock', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('the lease is renewed for as long as the dialogue lasts, and a lost one ends it', async () => {
    let renewals = 0;
    const { sender, recorded } = senderWith({
      leases: leasesOver(['slow'], () => ++renewals < 10),
      deliver: (_mail, signal) => until(signal),
    });
    await sender.start();
    await jest.advanceTimersByTimeAsync(9 * 1_500);
    expect(renewals).toBe(9);
    expect(recorded).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(recorded).toEqual(['slow requeue']);
    await sender.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(renewals).toBe(10);
  });

  test('F6 a stop lets a dialogue finish, cuts it off after 6 s, and takes no more', async () => {
    const { sender, recorded } = senderWith({
      leases: leasesOver(['quick', 'stalled']),
      deliver: ({ _id }, signal) =>
        _id === 'stalled'
          ? until(signal)
          : new Promise((resolve) => setTimeout(() => resolve({ $set: { state: 'sent' } }), 3_000)),
    });
    await sender.start();
    await jest.advanceTimersByTimeAsync(1_000);
    let stopped = false;
    const stopping = sender.stop().then(() => {
      stopped = true;
    });
    await jest.advanceTimersByTimeAsync(5_900);
    expect(recorded).toEqual(['quick sent']);
    expect(stopped).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    await stopping;
    expect(recorded).toEqual(['quick sent', 'stalled requeue']);
  });
});
