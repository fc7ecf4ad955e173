import { momentInWords } from '../domain/time-in-words.js';
import type { Texts } from '../texts/texts.js';
import type { Brand, MailData, Template } from './template.js';

/** Tells the old address that it was replaced (S70). The new one is not named: the old mailbox may be somebody else's. */
export const emailChanged: Template<'email-changed'> = {
  subject: (data, texts, brand) => wording(data, texts, brand).subject,
  content(data, { texts, brand }) {
    const { paragraphs, notes } = wording(data, texts, brand);
    return { greeting: texts.greeting(data.name), paragraphs, notes };
  },
};

function wording(data: MailData['email-changed'], texts: Texts, brand: Brand) {
  return texts.emailChanged({ brand: brand.name, when: momentInWords(data.changedAt, texts.language) });
}
