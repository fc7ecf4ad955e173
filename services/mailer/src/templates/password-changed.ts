import { momentInWords } from '../domain/time-in-words.js';
import type { Texts } from '../texts/texts.js';
import { disownAside } from './disown-aside.js';
import type { Brand, MailData, Template } from './template.js';

/** Tells of a change of the password (S60). Its one secret ends sessions and opens nothing. */
export const passwordChanged: Template<'password-changed'> = {
  subject: (data, texts, brand) => wording(data, texts, brand).subject,
  content(data, composing) {
    const { texts, brand } = composing;
    const { paragraphs, notes, disown } = wording(data, texts, brand);
    return { greeting: texts.greeting(data.name), paragraphs, notes, ...disownAside(disown, composing) };
  },
};

function wording(data: MailData['password-changed'], texts: Texts, brand: Brand) {
  const when = momentInWords(data.changedAt, texts.language);
  return texts.passwordChanged({ brand: brand.name, when, from: data.changedFrom });
}
