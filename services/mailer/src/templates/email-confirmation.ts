import { linkFacts } from './link-facts.js';
import { required, type Template } from './template.js';

/** Goes to the new address: only who reads it can confirm it (S70). */
export const emailConfirmation: Template<'email-confirmation'> = {
  subject: (data, texts, brand) => texts.emailConfirmation(linkFacts(data, texts, brand)).subject,
  content(data, { texts, brand, links, userId, secrets }) {
    const { paragraphs, button = '', notes } = texts.emailConfirmation(linkFacts(data, texts, brand));
    return {
      greeting: texts.greeting(data.name),
      paragraphs,
      action: {
        label: button,
        url: links.confirmEmail(required(secrets.token, 'the token'), required(userId, 'the user')),
      },
      notes,
    };
  },
};
