import { type Clock, withinTime } from '@latchkey/kit';
import mongoose from 'mongoose';
import type { Examined } from './examined.js';
import { type Finding, failed, ok, reasonOf, warning } from './finding.js';

const PATIENCE = 10_000;
/** Seconds. Leases last 5 s and go by the database's clock, service tokens allow 5 s; the provider's signatures 300 s. */
const WORTH_TELLING = 2;
const TOO_MUCH = 5;

/** How far this machine's clock is from the database's and the payment provider's. */
export async function checkClock(examined: Examined, clock: Clock): Promise<Finding[]> {
  const { mongodbUri: uri, stripeSecretKey, stripeApiUrl } = examined;
  const others: { name: string; read: () => Promise<number> }[] = [];
  if (uri) others.push({ name: 'the database', read: () => databaseTime(uri) });
  if (stripeSecretKey)
    others.push({ name: 'the payment provider', read: () => httpTime(stripeApiUrl ?? 'https://api.stripe.com') });
  if (others.length === 0) return [ok('clock', 'one machine, nothing to differ from')];
  return Promise.all(others.map((other) => compare(other, clock)));
}

async function compare({ name, read }: { name: string; read: () => Promise<number> }, clock: Clock): Promise<Finding> {
  try {
    const asked = clock.now();
    const theirs = await read();
    const skew = Math.abs(theirs - (asked + clock.now()) / 2) / 1000;
    const detail = `${skew.toFixed(1)} s from ${name}`;
    const advice = 'Let a time service (NTP) set the clocks of all machines.';
    if (skew > TOO_MUCH) return failed('clock', detail, advice);
    return skew > WORTH_TELLING ? warning('clock', detail, advice) : ok('clock', detail);
  } catch (error) {
    return warning('clock', `${name} cannot be asked for the time: ${reasonOf(error)}`, 'Mend that first.');
  }
}

async function databaseTime(uri: string): Promise<number> {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: PATIENCE });
  try {
    const { localTime } = await (await client.connect()).db('admin').command({ hello: 1 });
    if (!(localTime instanceof Date)) throw new Error('it does not tell');
    return localTime.getTime();
  } finally {
    await client.close();
  }
}

/** To the second, so half a second is added. */
async function httpTime(url: string): Promise<number> {
  const answer = await withinTime(
    PATIENCE,
    () => fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE) }),
    () => new Error('no answer'),
  );
  const date = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(date)) throw new Error('it does not tell');
  return date + 500;
}
