import { purchaseContent, purchaseFacts } from './purchase.js';
import type { Template } from './template.js';

/** Says what was paid for. */
export const receipt: Template<'receipt'> = {
  subject: (data, texts, brand) => texts.receipt(purchaseFacts(data, texts, brand)).subject,
  content: (data, { texts, brand }) => purchaseContent(data, texts, texts.receipt(purchaseFacts(data, texts, brand))),
};
