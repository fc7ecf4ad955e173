import type { Texts } from '../texts/texts.js';
import { disownAside } from './disown-aside.js';
import { linkFacts } from './link-facts.js';
import { type Brand, type MailData, required, type Template } from './template.js';

/** Carries the reset link, says when and from where it was asked for, and offers to take it back. */
export const passwordReset: Template<'password-reset'> = {
  subject: (data, texts, brand) => wording(data, texts, brand).subject,
  content(data, composing) {
    const { texts, brand, links, userId, secrets } = composing;
    const { paragraphs, button = '', notes, disown } = wording(data, texts, brand);
    return {
      greeting: texts.greeting(data.name),
      paragraphs,
      action: {
        label: button,
        url: links.setPassword(required(secrets.token, 'the token'), required(userId, 'the user')),
      },
      notes,
      ...disownAside(disown, composing),
    };
  },
};

function wording(data: MailData['password-reset'], texts: Texts, brand: Brand) {
  return texts.passwordReset({ ...linkFacts(data, texts, brand), from: data.requestedFrom });
}
