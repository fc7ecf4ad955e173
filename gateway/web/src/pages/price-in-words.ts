import type { Price } from '@latchkey/contracts';
import { money } from './money.js';

/** What it costs, and how often: `€12` `per month`. A price without a single amount is told on the payment page. */
export function priceInWords({ unit_amount, currency, recurring }: Price): { amount: string; rhythm: string } {
  const amount = unit_amount === null ? 'Varies' : money(unit_amount, currency);
  if (recurring === null) return { amount, rhythm: 'once' };
  const { interval, interval_count: count } = recurring;
  return { amount, rhythm: count === 1 ? `per ${interval}` : `every ${count} ${interval}s` };
}
