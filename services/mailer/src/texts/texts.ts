/** The words of one mail. Paragraphs are plain text; the templates put them into text and html. */
export interface Wording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Label of the mail's one button. */
  readonly button?: string;
  /** Said after the button, in smaller print. */
  readonly notes: readonly string[];
}

/** Facts of a link's mail, already in words: moments, lifetimes. */
export interface LinkFacts {
  readonly brand: string;
  readonly asked: string;
  readonly lifetime: string;
  readonly until: string;
}

/** Facts of a purchase's mail, already in words. */
export interface PurchaseFacts {
  readonly brand: string;
  readonly amount: string;
  readonly when: string;
}

/** Everything that is language in the mails; where it comes from: `load-texts.ts`. */
export interface Texts {
  /** Its tag (BCP 47), as `Intl` takes it. */
  readonly language: string;
  greeting(name: string): string;
  /** Stands before the link written out. */
  readonly openByHand: string;
  footer(brand: string): string;
  /** `from`: the address it was asked from, null when an administrator had it sent. */
  passwordReset(facts: LinkFacts & { from: string | null }): Wording & { disown: { text: string; link: string } };
  passwordChanged(facts: {
    brand: string;
    when: string;
    from: string | null;
  }): Wording & { disown: { text: string; link: string } };
  invitation(facts: LinkFacts): Wording;
  emailConfirmation(facts: LinkFacts): Wording;
  /** `words`: of the table's rows. */
  receipt(facts: PurchaseFacts): Wording & { words: { total: string; order: string } };
  paymentFailed(facts: PurchaseFacts): Wording & { words: { total: string; order: string } };
  emailChanged(facts: { brand: string; when: string }): Wording;
}
