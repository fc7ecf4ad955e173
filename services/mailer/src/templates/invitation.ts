import { linkFacts } from './link-facts.js';
import { required, type Template } from './template.js';

/** Lets a user who was made without a password choose one. */
export const invitation: Template<'invitation'> = {
  subject: (data, texts, brand) => texts.invitation(linkFacts(data, texts, brand)).subject,
  content(data, { texts, brand, links, userId, secrets }) {
    const { paragraphs, button = '', notes } = texts.invitation(linkFacts(data, texts, brand));
    return {
      greeting: texts.greeting(data.name),
      paragraphs,
      action: {
        label: button,
        url: links.setPassword(required(secrets.token, 'the token'), required(userId, 'the user')),
      },
      notes,
    };
  },
};
