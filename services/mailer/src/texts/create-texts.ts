import { type Catalogue, fill } from './catalogue.js';
import type { Texts, Wording } from './texts.js';

type Facts = Readonly<Record<string, string | null>>;
type Sentences = Pick<Catalogue['emailChanged'], 'subject' | 'paragraphs' | 'notes'>;

/** A language's texts from its file. */
export function createTexts(language: string, words: Catalogue): Texts {
  return {
    language,
    greeting: (name) => (name === '' ? words.greetingWithoutName : fill(words.greeting, { name })),
    openByHand: words.openByHand,
    footer: (brand) => fill(words.footer, { brand }),
    passwordReset: (facts) => ({
      ...wording(byWhom(words.passwordReset, facts.from), { ...facts }),
      button: fill(words.passwordReset.button, { brand: facts.brand }),
      disown: disown(words.passwordReset, facts.brand),
    }),
    passwordChanged: (facts) => ({
      ...wording(byWhom(words.passwordChanged, facts.from), { ...facts }),
      disown: disown(words.passwordChanged, facts.brand),
    }),
    invitation: (facts) => withButton(words.invitation, { ...facts }),
    emailConfirmation: (facts) => withButton(words.emailConfirmation, { ...facts }),
    emailChanged: (facts) => wording(words.emailChanged, facts),
    receipt: (facts) => ({ ...wording(words.receipt, { ...facts }), words: words.receipt.words }),
    paymentFailed: (facts) => ({ ...wording(words.paymentFailed, { ...facts }), words: words.paymentFailed.words }),
  };
}

function wording({ subject, paragraphs, notes }: Sentences, facts: Facts): Wording {
  const filled = (text: string) => fill(text, facts);
  return { subject: filled(subject), paragraphs: paragraphs.map(filled), notes: notes.map(filled) };
}

function withButton(words: Sentences & { button: string }, facts: Facts): Wording {
  return { ...wording(words, facts), button: fill(words.button, facts) };
}

/** An administrator's request has no address that would tell its reader anything. */
function byWhom(words: Sentences & { paragraphsByAdmin: string[] }, from: string | null): Sentences {
  return from === null ? { ...words, paragraphs: words.paragraphsByAdmin } : words;
}

function disown(words: { disown: { text: string; link: string } }, brand: string) {
  return { text: fill(words.disown.text, { brand }), link: fill(words.disown.link, { brand }) };
}
