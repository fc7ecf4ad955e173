import { momentInWords } from '../domain/time-in-words.js';
import type { Texts } from '../texts/texts.js';
import type { Brand, MailData, Template } from './template.js';

/** Tells of a change of the password, with no secret and no link in it (S60). */
export const passwordChanged: Template<'password-changed'> = {
  subject: (data, texts, brand) => wording(data, texts, brand).subject,
  content(data, { texts, brand }) {
    const { paragraphs, notes } = wording(data, texts, brand);
    return { greeting: texts.greeting(data.name), paragraphs, notes };
  },
};

function wording(data: MailData['password-changed'], texts: Texts, brand: Brand) {
  const when = momentInWords(data.changedAt, texts.language);
  return texts.passwordChanged({ brand: brand.name, when, from: data.changedFrom });
}
