import { purchaseContent, purchaseFacts } from './purchase.js';
import type { Template } from './template.js';

/** Says that a payment which took its time was refused in the end. */
export const paymentFailed: Template<'payment-failed'> = {
  subject: (data, texts, brand) => texts.paymentFailed(purchaseFacts(data, texts, brand)).subject,
  content: (data, { texts, brand }) =>
    purchaseContent(data, texts, texts.paymentFailed(purchaseFacts(data, texts, brand))),
};
