import type { MailTemplate } from '@latchkey/contracts';
import { chooseLanguage } from './domain/choose-language.js';
import { createLinks } from './domain/links.js';
import type { OutgoingMail } from './mail-transport.js';
import type { MailDocument, MailSecrets } from './models/mail.js';
import { templates } from './templates/index.js';
import { oneLine } from './templates/one-line.js';
import { renderHtml } from './templates/render-html.js';
import { renderText } from './templates/render-text.js';
import type { Brand, MailData, Template } from './templates/template.js';
import type { TextsByLanguage } from './texts/load-texts.js';
import type { Texts } from './texts/texts.js';

/** What each secret was sealed for; the service that seals it names the same purpose. */
const tokenPurpose: Readonly<Partial<Record<MailTemplate, string>>> = {
  'password-reset': 'reset-token',
  invitation: 'invitation-token',
  'email-confirmation': 'email-confirmation',
};

export interface MailComposer {
  /** The language for somebody who sent this Accept-Language header. */
  language(acceptLanguage: string | null): string;
  subject<T extends MailTemplate>(template: T, data: MailData[T], language: string): string;
  /** The whole mail. Throws when a secret cannot be unsealed: the mail can never be sent then. */
  compose(mail: MailDocument): OutgoingMail;
}

export interface ComposerOptions {
  readonly publicUrl: string;
  readonly resetLinkUrl: string | null;
  readonly mailFrom: string;
  readonly brand: Brand;
  readonly texts: TextsByLanguage;
  /** The language of every mail; null: as the requester's Accept-Language wishes. */
  readonly language: string | null;
  readonly sealer: { unseal(sealed: string, purpose: string): string };
}

/** Turns a mail's document into what is sent. */
export function createMailComposer(options: ComposerOptions): MailComposer {
  const { brand, sealer } = options;
  const links = createLinks(options);
  const languages = Object.keys(options.texts);
  /** A mail may wait in a language whose file is gone since; then it is written in the first one. */
  const textsIn = (language: string) => (options.texts[language] ?? options.texts[languages[0] as string]) as Texts;

  function unseal(template: MailTemplate, sealed: MailSecrets | undefined) {
    const purpose = tokenPurpose[template];
    return {
      token: sealed?.token && purpose ? sealer.unseal(sealed.token, purpose) : undefined,
      disownToken: sealed?.disownToken ? sealer.unseal(sealed.disownToken, 'disown-token') : undefined,
    };
  }

  return {
    language: (acceptLanguage) => chooseLanguage(options.language ?? acceptLanguage, languages),

    subject: (template, data, language) => oneLine(templates[template].subject(data, textsIn(language), brand)),

    compose(mail) {
      // The document pairs each template with its own data; the type of the union cannot say so.
      const template = templates[mail.template] as Template<MailTemplate>;
      const words = textsIn(mail.language);
      const secrets = unseal(mail.template, mail.secrets);
      const content = template.content(mail.data, { texts: words, brand, links, userId: mail.userId, secrets });
      return {
        messageId: mail.messageId,
        from: options.mailFrom,
        to: mail.to,
        subject: mail.subject,
        text: renderText(content, words, brand),
        html: renderHtml(mail.subject, content, words, brand),
        language: words.language,
      };
    },
  };
}
