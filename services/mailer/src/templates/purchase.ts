import { moneyInWords } from '../domain/money-in-words.js';
import { momentInWords } from '../domain/time-in-words.js';
import type { PurchaseFacts, Texts, Wording } from '../texts/texts.js';
import type { Brand, Content, PurchaseData } from './template.js';

/** A purchase's facts in words. */
export function purchaseFacts(data: PurchaseData, texts: Texts, brand: Brand): PurchaseFacts {
  return {
    brand: brand.name,
    amount: moneyInWords(data.amount, data.currency, texts.language),
    when: momentInWords(data.settledAt, texts.language),
  };
}

/** What was bought line by line, the sum, and the id by which the checkout is found. */
export function purchaseContent(
  data: PurchaseData,
  texts: Texts,
  { paragraphs, notes, words }: Wording & { words: { total: string; order: string } },
): Content {
  const money = (amount: number) => moneyInWords(amount, data.currency, texts.language);
  const lines = data.items.map(({ description, quantity, amount }) => ({
    label: quantity === 1 ? description : `${quantity} × ${description}`,
    value: money(amount),
  }));
  return {
    greeting: texts.greeting(data.name),
    paragraphs,
    rows: [
      ...lines,
      { label: words.total, value: money(data.amount), sum: true },
      { label: words.order, value: data.checkoutId },
    ],
    notes,
  };
}
